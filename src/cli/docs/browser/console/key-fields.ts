import { type Carrier, type Credentials, findCarrier } from "../../../verify/messages/index.js";
import type { Callable } from "../../console/callable.js";
import { listLogins } from "../../console/oauth.js";
import {
  create,
  createDetails,
  createField,
  createGroup,
  createId,
  createInput,
  createSelect,
} from "../dom.js";
import { createLogin, type FetchedToken, type LoginPlace } from "./login.js";

/** Milliseconds before its end at which a token is renewed. */
const EARLY = 5_000;

export type Keyring = ReturnType<typeof createKeyring>;

/**
 * Creates the reader's keys, by the origin that they were given for and the security scheme. They are in this page's memory and
 * nowhere else, and a key that was given for one service is not shown or sent to another.
 */
export function createKeyring() {
  const keys = new Map<string, ReadonlyMap<string, string>>();
  const listeners: (() => void)[] = [];
  const tokens = new Map<string, FetchedToken>();
  const get = (origin: string) => keys.get(origin) ?? new Map<string, string>();
  /** @param key Empty: there is none. */
  const set = (origin: string, scheme: string, key: string) => {
    const others = [...get(origin)].filter(([name]) => name !== scheme);
    keys.set(origin, new Map(key === "" ? others : [...others, [scheme, key]]));
    for (const listener of listeners) listener();
  };
  const setToken = (origin: string, scheme: string, token: FetchedToken) => {
    tokens.set(`${origin} ${scheme}`, token);
    set(origin, scheme, token.token);
  };
  return {
    get,
    set,
    setToken,
    /** Gets the next one of a token that has ended or is about to, unless the reader has replaced it. */
    async renew(origin: string, scheme: string): Promise<void> {
      const known = tokens.get(`${origin} ${scheme}`);
      if (known?.renew === undefined || known.token !== get(origin).get(scheme)) return;
      if (performance.now() > known.ends - EARLY) setToken(origin, scheme, await known.renew());
    },
    onChange(listener: () => void) {
      listeners.push(listener);
    },
  };
}

export type KeyFields = NonNullable<ReturnType<typeof createKeyFields>>;

export interface KeyFieldsOptions {
  readonly keyring: Keyring;
  /** Client ids of logins by security scheme. */
  readonly clients: Map<string, string>;
  readonly getPlace: () => LoginPlace | undefined;
}

/** @returns undefined for an operation that needs no key. */
export function createKeyFields(
  { operation: { security }, contract }: Callable,
  { keyring, clients, getPlace }: KeyFieldsOptions,
) {
  if (security.every((requirement) => Object.keys(requirement).length === 0)) return undefined;
  let index = 0;
  let origin = "";
  let fields: readonly ReturnType<typeof createKeyField>[] = [];
  const holder = create("div", { class: "secrets" });
  const rejection = create("p", { class: "mistake" });
  const login = create("p", { class: "hint", role: "status" });
  const say = (message: string) => {
    login.textContent = message;
  };
  const getKeys = () => keyring.get(origin);
  const getRequirement = () => security[index];
  const createOwn = ([scheme, required]: readonly [string, readonly string[]]) => {
    const setKey = (key: string) => {
      keyring.set(origin, scheme, key);
    };
    const field = createKeyField([scheme, required], findCarrier(contract, scheme), setKey);
    const logins = contract.securitySchemes.filter(({ name }) => name === scheme).flatMap(listLogins);
    if (logins.length > 0) {
      // The reader may have chosen another address meanwhile.
      const onToken = (token: FetchedToken, base: string) => {
        keyring.setToken(new URL(base).origin, scheme, token);
      };
      const options = { scheme, required, clients, getPlace, onToken, say };
      field.element.append(createDetails("Get a token by OAuth 2.0", createLogin(logins, options)));
    }
    return field;
  };
  const update = () => {
    rejection.textContent = "";
    for (const field of fields) field.show(getKeys().get(field.scheme) ?? "");
  };
  const choose = (next: number) => {
    index = next;
    fields = Object.entries(getRequirement() ?? {}).map(createOwn);
    holder.replaceChildren(...fields.map(({ element }) => element));
    update();
  };
  const alternatives = security.map((one) => Object.keys(one).join(" and ") || "no key");
  const choice = createSelect("Alternative", alternatives, choose);
  choose(0);
  keyring.onChange(update);
  const note =
    "Kept in this page's memory for all operations, sent to this address only, gone when you reload.";
  return {
    element: createGroup(
      "Key",
      security.length > 1 ? choice.element : undefined,
      holder,
      login,
      rejection,
      create("p", { class: "hint" }, note),
    ),
    getRequirement,
    /** Reads the keys that the reader gave for the origin; tokens that have ended are renewed. */
    async read(): Promise<Credentials> {
      try {
        for (const scheme of Object.keys(getRequirement() ?? {})) await keyring.renew(origin, scheme);
      } catch (error) {
        say(`The token was not renewed. ${(error as Error).message}`);
      }
      return { keys: getKeys(), headers: [] };
    },
    /** Lists schemes of the alternative that have no key yet. */
    listMissing: () => Object.keys(getRequirement() ?? {}).filter((name) => !getKeys().has(name)),
    /** Shows the keys of another origin. */
    setOrigin(next: string) {
      origin = next;
      update();
    },
    /** Shows the result of a login. */
    say,
    /** Shows why a service rejected the keys, and moves the focus to the first missing one. */
    showRejection(message: string) {
      rejection.textContent = message;
      if (message === "") return;
      const inputs = fields.flatMap((field) => field.inputs);
      (inputs.find(({ value }) => value === "") ?? inputs[0])?.focus();
    },
  };
}

/** @param onInput Takes a token, a key, or `name:password`. */
function createKeyField(
  [scheme, scopes]: readonly [string, readonly string[]],
  carrier: Carrier | undefined,
  onInput: (key: string) => void,
) {
  const facts = [describe(carrier), ...(scopes.length === 0 ? [] : [`scopes: ${scopes.join(", ")}`])];
  const hint = create("p", { class: "hint", id: createId() }, facts.join(" · "));
  const isBasic = carrier?.kind === "basic";
  const labels = isBasic ? [`${scheme}: user name`, `${scheme}: password`] : [scheme];
  const toInput = (_: string, index: number) =>
    createInput(isBasic && index === 0 ? "text" : "password", "", {
      id: createId(),
      "aria-describedby": hint.id,
    });
  const inputs = carrier === undefined ? [] : labels.map(toInput);
  const read = () => {
    const key = inputs.map((input) => input.value).join(":");
    return key === ":" ? "" : key.trim();
  };
  for (const input of inputs)
    input.addEventListener("input", () => {
      onInput(read());
    });
  const shown =
    carrier === undefined
      ? [create("strong", {}, scheme)]
      : inputs.map((input, index) => createField(labels[index] ?? scheme, input));
  return {
    scheme,
    element: create("div", { class: "field" }, ...shown, hint),
    inputs,
    show(key: string) {
      if (key === read()) return;
      const parts = isBasic ? (/^([^:]*):?(.*)$/s.exec(key)?.slice(1) ?? []) : [key];
      for (const [index, input] of inputs.entries()) input.value = parts[index] ?? "";
    },
  };
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
