import { type Carrier, type Credentials, findCarrier } from "../../../verify/messages/index.js";
import type { Callable } from "../../console/callable.js";
import { create, createGroup, createId, createInput, createSelect } from "../dom.js";

/**
 * The reader's keys, by the origin that they were given for and the security scheme. They are in this page's memory and nowhere
 * else, and a key that was given for one service is not shown or sent to another.
 */
export type Keyring = Map<string, Map<string, string>>;

export type KeyFields = NonNullable<ReturnType<typeof createKeyFields>>;

/** @returns undefined for an operation that needs no key. */
export function createKeyFields(
  { operation: { security }, contract }: Callable,
  keyring: Keyring,
  onChange: () => void,
) {
  if (security.every((requirement) => Object.keys(requirement).length === 0)) return undefined;
  let requirement = security[0];
  let origin = "";
  let fields: readonly ReturnType<typeof createKeyField>[] = [];
  const holder = create("div");
  const rejection = create("p", { class: "mistake" });

  const getKeys = () => {
    const keys = keyring.get(origin) ?? new Map<string, string>();
    keyring.set(origin, keys);
    return keys;
  };
  const show = () => {
    fields = Object.entries(requirement ?? {}).map(([name, scopes]) =>
      createKeyField([name, scopes], findCarrier(contract, name), getKeys().get(name), (value) => {
        if (value === "") getKeys().delete(name);
        else getKeys().set(name, value);
        onChange();
      }),
    );
    holder.replaceChildren(...fields.map(({ element }) => element));
  };
  const alternatives = security.map((one) => Object.keys(one).join(" and ") || "no key");
  const choice = createSelect("Alternative", alternatives, (index) => {
    requirement = security[index];
    show();
    onChange();
  });
  const note =
    "Your key stays in this page's memory and goes to this address only. It is gone when you reload the page.";
  return {
    element: createGroup(
      "Key",
      security.length > 1 ? choice.element : undefined,
      holder,
      rejection,
      create("p", { class: "faint" }, note),
    ),
    /** Gets the chosen alternative. */
    getRequirement: () => requirement,
    /** Reads the keys that the reader gave for the origin. */
    read: (): Credentials => ({ keys: new Map(getKeys()), headers: [] }),
    /** Lists schemes of the alternative that have no key yet. */
    listMissing: () => Object.keys(requirement ?? {}).filter((name) => !getKeys().has(name)),
    /** Shows the keys of another origin. */
    setOrigin(next: string) {
      origin = next;
      show();
    },
    /** Shows why a service rejected the keys, and moves the focus to the first missing one. */
    showRejection(message: string) {
      rejection.textContent = message;
      if (message === "") return;
      const inputs = fields.flatMap((field) => field.inputs);
      (inputs.find(({ value }) => value === "") ?? inputs[0])?.focus();
    },
  };
}

/** @param value A token, a key, or `name:password`. */
function createKeyField(
  [name, scopes]: readonly [string, readonly string[]],
  carrier: Carrier | undefined,
  value = "",
  onInput: (key: string) => void,
) {
  const facts = [describe(carrier), ...(scopes.length === 0 ? [] : [`scopes: ${scopes.join(", ")}`])];
  const hint = create("p", { class: "faint", id: createId() }, facts.join(" · "));
  if (carrier === undefined)
    return { element: create("div", { class: "field" }, create("strong", {}, name), hint), inputs: [] };
  const [user, password] = /^([^:]*):?(.*)$/s.exec(value)?.slice(1) ?? [];
  const createOwn = (type: string, text = "") =>
    createInput(type, text, { id: createId(), "aria-describedby": hint.id });
  const inputs =
    carrier.kind === "basic"
      ? [createOwn("text", user), createOwn("password", password)]
      : [createOwn("password", value)];
  const onEdit = () => {
    const key = inputs.map((input) => input.value).join(":");
    onInput(key === ":" ? "" : key.trim());
  };
  for (const input of inputs) input.addEventListener("input", onEdit);
  const labels = carrier.kind === "basic" ? [`${name}: user name`, `${name}: password`] : [name];
  const pairs = inputs.flatMap((input, index) => [create("label", { for: input.id }, labels[index]), input]);
  return { element: create("div", { class: "field" }, ...pairs, hint), inputs };
}

function describe(carrier: Carrier | undefined): string {
  switch (carrier?.kind) {
    case "bearer":
      return "token, sent as Authorization: Bearer";
    case "basic":
      return "user name and password, sent as Authorization: Basic";
    case "apiKey":
      return carrier.in === "cookie"
        ? `cookie ${carrier.name}: browsers do not let pages send cookies of their own. The browser sends its own cookies for this address; the curl line has the one given here`
        : `key, sent as ${carrier.in === "query" ? "query parameter" : "header"} ${carrier.name}`;
    default:
      return "pages cannot send it: the connection or another program does";
  }
}
