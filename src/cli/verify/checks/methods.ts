import type { Draft } from "../draft.js";
import type { HttpMethod } from "tenon/core/legacy/model";
import { writeParameters } from "tenon/client/parameters";
import type { Target } from "../target.js";
import type { Trial } from "../trial.js";
import { isSuccess } from "./check.js";
import { withMethod } from "./undeclared.js";

const TRIED: readonly HttpMethod[] = ["get", "post", "put", "patch", "delete"];
/** A service may have these without a word of the contract. */
const IMPLIED = new Set(["HEAD", "OPTIONS", "TRACE"]);

/**
 * Methods that a path does not declare must not succeed, and 405 has to say which do (RFC 9110, section 15.5.6). A service that
 * says 404 instead says too little, but nothing wrong.
 */
export async function probeMethods(draft: Draft, trial: Trial): Promise<void> {
  const { operation } = draft;
  const first = trial.target.operations.find(({ path }) => path === operation.path);
  // Once for each path.
  if (first !== operation) return;
  const declared = findMethods(draft, trial.target);
  for (const method of TRIED.filter((one) => !declared.has(one.toUpperCase()))) {
    const { path } = draft.value;
    const exchange = await trial.try(withMethod({ ...draft, value: { ...(path && { path }) } }, method));
    if (exchange === undefined) continue;
    const { status, headers } = exchange.answer;
    const tell = (message: string, detail: string) => {
      trial.tell({ check: "method", message, detail }, [exchange]);
    };
    const name = `${method.toUpperCase()} ${operation.path}`;
    if (isSuccess(status)) tell(`${name} is not declared, and answered with ${status}`, "answered");
    if (status !== 405) continue;
    const allow = headers.allow;
    if (allow === undefined) {
      tell(`${name} is answered with 405 without Allow`, "without Allow");
      continue;
    }
    const allowed = new Set(allow.split(",").map((one) => one.trim().toUpperCase()));
    const missing = [...declared].filter((one) => !allowed.has(one));
    const more = [...allowed].filter((one) => one !== "" && !declared.has(one) && !IMPLIED.has(one));
    if (missing.length > 0)
      tell(`Allow is "${allow}" and lacks ${missing.join(", ")}`, `lacks ${missing.join()}`);
    if (more.length > 0)
      tell(`Allow is "${allow}"; ${more.join(", ")} is not declared`, `has ${more.join()}`);
  }
}

/** Methods of every template that matches the path: `/pets/{petId}` matches `/pets/mine` too. */
function findMethods({ operation, value }: Draft, { operations }: Target): ReadonlySet<string> {
  const path = toPath(operation.path, value.path ?? {});
  const matching = operations.filter((one) => toPattern(one.path).test(path));
  return new Set(matching.map(({ method }) => method.toUpperCase()));
}

function toPath(template: string, path: Readonly<Record<string, unknown>>): string {
  try {
    return writeParameters(template, { path }, {}).path;
  } catch {
    return template;
  }
}

function toPattern(template: string): RegExp {
  const parts = template
    .split(/\{[^{}]*\}/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join("[^/]+")}$`);
}
