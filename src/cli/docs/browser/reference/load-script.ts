import { create } from "../dom.js";

/** The scripts that pages load when they are needed: a page from a folder on disk may not fetch. */
const SCRIPTS = ["search.js", "console-data.js", "console.js"] as const;

/** TypeScript does not know trusted types (https://www.w3.org/TR/trusted-types/). */
declare global {
  var trustedTypes: { createPolicy(name: string, rules: Rules): Rules } | undefined;
}

interface Rules {
  /** @returns an object that only looks like a string to TypeScript. */
  readonly createScriptURL: (name: string) => string;
}

const RULES: Rules = {
  createScriptURL(name) {
    if (SCRIPTS.some((own) => own === name)) return name;
    throw new TypeError(`${name} is not a script of this site`);
  },
};

const policy = globalThis.trustedTypes?.createPolicy("tenon", RULES) ?? RULES;

/** Loads a script of the site. A missing one is ignored. */
export function loadScript(name: (typeof SCRIPTS)[number]): Promise<void> {
  const script = create("script");
  script.src = policy.createScriptURL(name);
  return load(script);
}

export async function load(element: HTMLScriptElement | HTMLLinkElement): Promise<void> {
  await new Promise((resolve) => {
    element.addEventListener("load", resolve);
    element.addEventListener("error", resolve);
    document.head.append(element);
  });
}
