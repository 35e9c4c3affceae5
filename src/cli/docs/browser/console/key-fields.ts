import type { SecurityRequirement } from "tenon/core/model";
import { type Carrier, type Credentials, findCarrier } from "../../../verify/messages/index.js";
import type { Callable } from "../../console/callable.js";
import { create, createId, createSelect } from "./dom.js";

/**
 * The reader's keys, by the origin that they were given for and the security scheme. They are in this page's memory and nowhere
 * else, and a key that was given for one service is not shown or sent to another.
 */
export type Keyring = Map<string, Map<string, string>>;

export interface KeyFields {
  readonly element: HTMLElement;
  /** The alternative that is chosen; nothing where it wants nothing. */
  readonly requirement: SecurityRequirement | undefined;
  /** What is there of what the alternative wants. */
  read(): Credentials;
  /** Schemes of the alternative that have no key yet. */
  listMissing(): readonly string[];
  /** Shows the keys of another origin. */
  setOrigin(origin: string): void;
  /** Says what a service said of the keys, and moves the focus to the one that it speaks of. */
  tell(message: string): void;
}

interface KeyField {
  readonly element: HTMLElement;
  readonly inputs: readonly HTMLInputElement[];
}

/** @returns undefined for an operation that wants no key. */
export function createKeyFields(
  { operation: { security }, contract }: Callable,
  keyring: Keyring,
  onChange: () => void,
): KeyFields | undefined {
  if (security.every((requirement) => Object.keys(requirement).length === 0)) return undefined;
  let requirement = security[0];
  let origin = "";
  let fields: readonly KeyField[] = [];
  const holder = create("div");
  const told = create("p", { class: "mistake" });

  const getKeys = () => {
    const keys = keyring.get(origin) ?? new Map<string, string>();
    keyring.set(origin, keys);
    return keys;
  };
  const show = () => {
    const names = Object.keys(requirement ?? {});
    fields = names.map((name) => {
      const onInput = (key: string) => {
        if (key === "") getKeys().delete(name);
        else getKeys().set(name, key);
        onChange();
      };
      const scopes = requirement?.[name] ?? [];
      return createKeyField(
        { name, carrier: findCarrier(contract, name), scopes, key: getKeys().get(name) ?? "" },
        onInput,
      );
    });
    holder.replaceChildren(...fields.map(({ element }) => element));
  };
  const alternatives = security.map((one) => Object.keys(one).join(" and ") || "no key");
  const choice = createSelect("Alternative", alternatives, (index) => {
    requirement = security[index];
    show();
    onChange();
  });
  const note =
    "Your key stays in this page's memory and goes to this address only. It is gone when you load the page anew.";
  return {
    element: create(
      "fieldset",
      {},
      create("legend", {}, "Key"),
      security.length > 1 ? choice.element : undefined,
      holder,
      told,
      create("p", { class: "faint" }, note),
    ),
    get requirement() {
      return requirement;
    },
    read: () => ({ keys: new Map(getKeys()), headers: [] }),
    listMissing: () => Object.keys(requirement ?? {}).filter((name) => !getKeys().has(name)),
    setOrigin(next) {
      origin = next;
      show();
    },
    tell(message) {
      told.textContent = message;
      if (message === "") return;
      const inputs = fields.flatMap((field) => field.inputs);
      (inputs.find(({ value }) => value === "") ?? inputs[0])?.focus();
    },
  };
}

interface Key {
  readonly name: string;
  readonly carrier: Carrier | undefined;
  readonly scopes: readonly string[];
  /** A token, a key, or `name:password`. */
  readonly key: string;
}

function createKeyField({ name, carrier, scopes, key }: Key, onInput: (key: string) => void): KeyField {
  const facts = [describe(carrier), scopes.length === 0 ? "" : `scopes: ${scopes.join(", ")}`].filter(
    Boolean,
  );
  const hint = create("p", { class: "faint", id: createId() }, facts.join(" · "));
  if (carrier === undefined)
    return {
      element: create("div", { class: "field" }, create("strong", {}, name), hint),
      inputs: [],
    };
  const [first, second] = carrier.kind === "basic" ? split(key) : [key, ""];
  const user = carrier.kind === "basic" ? createInput("text", first, hint.id) : undefined;
  const secret = createInput("password", user === undefined ? first : second, hint.id);
  const tell = () => {
    const both = user === undefined ? secret.value : `${user.value}:${secret.value}`;
    onInput(both === ":" ? "" : both.trim());
  };
  const inputs = [user, secret].filter((input) => input !== undefined);
  for (const input of inputs) input.addEventListener("input", tell);
  const labels = user === undefined ? [name] : [`${name}: user name`, `${name}: password`];
  const pairs = inputs.flatMap((input, index) => [create("label", { for: input.id }, labels[index]), input]);
  return { element: create("div", { class: "field" }, ...pairs, hint), inputs };
}

/** Browsers neither fill it in nor keep it. */
function createInput(type: "text" | "password", value: string, hint: string): HTMLInputElement {
  const input = create("input", {
    type,
    id: createId(),
    autocomplete: "off",
    spellcheck: "false",
    "aria-describedby": hint,
  });
  input.value = value;
  return input;
}

function split(key: string): readonly [string, string] {
  const colon = key.indexOf(":");
  return colon === -1 ? [key, ""] : [key.slice(0, colon), key.slice(colon + 1)];
}

function describe(carrier: Carrier | undefined): string {
  switch (carrier?.kind) {
    case "bearer":
      return "token, sent as Authorization: Bearer";
    case "basic":
      return "user name and password, sent as Authorization: Basic";
    case "apiKey":
      return carrier.in === "cookie"
        ? `cookie ${carrier.name}: browsers do not let pages send cookies of their own; what the browser has for this address goes along, and the curl line has the one given here`
        : `key, sent as ${carrier.in === "query" ? "query parameter" : "header"} ${carrier.name}`;
    default:
      return "no page can send it: the connection or another program does";
  }
}
