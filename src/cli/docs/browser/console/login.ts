import { explain, send } from "./send.js";
import {
  type Client,
  createProof,
  type Login,
  type Proof,
  readToken,
  toLoginAddress,
  type Token,
  type TokenRequest,
  useClientCredentials,
} from "../../console/oauth.js";
import { toBase } from "../../console/addresses.js";
import { create, createButton, createField, createInput, createSelect } from "../dom.js";
import type { FormState } from "./form-state.js";

/** The place in the docs that the reader comes back to after a login. */
export interface LoginPlace {
  /** Id of the operation: `operation/listPets`. */
  readonly place: string;
  /** Address of the service that the token is for. */
  readonly base: string;
  readonly form: FormState;
}

/** A login by authorization code that has begun. Its verifier is of no use without the code, and the code of none without it. */
interface StartedLogin extends LoginPlace, Proof {
  /** The page's address. */
  readonly page: string;
  readonly scheme: string;
  /** The client. */
  readonly id: string;
  readonly tokenUrl: string;
  readonly redirect: string;
}

const STORED = "tenon-login";

/**
 * Takes the login that the reader comes back from, once: it is lost for another attempt.
 * @returns undefined without one, and where the reader left another page, which is opened.
 */
export function takeLogin(query: URLSearchParams): StartedLogin | undefined {
  const stored = sessionStorage.getItem(STORED);
  if (stored === null) return undefined;
  const login = JSON.parse(stored) as StartedLogin;
  if (login.page === toPage()) {
    sessionStorage.removeItem(STORED);
    return login;
  }
  location.replace(`${login.page}?${query.toString()}`);
  return undefined;
}

function toPage(): string {
  return location.origin + location.pathname;
}

/** A token as the page keeps it. */
export interface FetchedToken extends Pick<Token, "token" | "note"> {
  /** When it ends, in milliseconds since the page was opened. */
  readonly ends: number;
  /** Gets the next one. */
  readonly renew: (() => Promise<FetchedToken>) | undefined;
}

/** @throws {Error} with the reason why there is no token. */
export async function fetchToken(tokenUrl: string, tokenRequest: TokenRequest): Promise<FetchedToken> {
  const { form, authorization } = tokenRequest;
  const address = toAddress(tokenUrl);
  const headers = {
    Accept: "application/json",
    "Content-Type": "application/x-www-form-urlencoded",
    ...(authorization !== undefined && { Authorization: authorization }),
  };
  const request = {
    method: "POST",
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    body: new TextEncoder().encode(new URLSearchParams(form).toString()),
  };
  const outcome = await send(request, address, { signal: new AbortController().signal });
  if ("failure" in outcome) throw new Error(explain(outcome.failure, address));
  const {
    renewal,
    seconds = Infinity,
    ...token
  } = readToken(outcome.status, new TextDecoder().decode(outcome.body), tokenRequest);
  return {
    ...token,
    ends: performance.now() + seconds * 1000,
    renew: renewal && (() => fetchToken(tokenUrl, renewal)),
  };
}

/** @throws {Error} for an address of another scheme than HTTP. */
function toAddress(url: string): URL {
  if (toBase(url, location.href) === undefined) throw new Error(`The contract's address ${url} is invalid.`);
  return new URL(url, location.href);
}

export interface LoginOptions {
  readonly scheme: string;
  /** Scopes that the operation requires. */
  readonly required: readonly string[];
  /** Client ids by scheme, for other operations. */
  readonly clients: Map<string, string>;
  /** @returns undefined when the page may not call the address. */
  readonly getPlace: () => LoginPlace | undefined;
  readonly onToken: (token: FetchedToken, base: string) => void;
  readonly say: (message: string) => void;
}

/** Creates the form that gets a token from an authorization server. */
export function createLogin(logins: readonly Login[], options: LoginOptions): HTMLElement {
  const { scheme, required, clients, getPlace, onToken, say } = options;
  const id = createInput("text", clients.get(scheme) ?? "");
  const secret = createInput("password", "");
  const secretField = createField("Client secret", secret);
  const hint = create("p", { class: "hint" });
  const scopes = create("div", { class: "scopes" });
  const tryLogin = () => {
    say("");
    start().catch((error: unknown) => {
      say(`The login failed. ${(error as Error).message}`);
    });
  };
  const button = createButton("", tryLogin, { class: "button" });
  let login = logins[0];
  // One address for all pages of the site: authorization servers know it.
  const redirect = new URL(".", location.href).href;
  const show = () => {
    const isCode = login?.name === "authorizationCode";
    const isPossible = !isCode || (location.protocol !== "file:" && isSecureContext);
    secretField.hidden = isCode;
    button.textContent = isCode ? "Log in" : "Get a token";
    button.disabled = !isPossible;
    hint.replaceChildren(
      ...(!isPossible
        ? ["Open this page by https, or from this machine by http, to log in."]
        : isCode
          ? ["The client's redirect address has to be ", create("code", {}, redirect)]
          : ["The secret stays in this page's memory."]),
    );
    scopes.replaceChildren(
      ...(login?.scopes ?? []).map((scope) => {
        const box = create("input", { type: "checkbox", value: scope });
        box.checked = required.includes(scope);
        return create("label", {}, box, ` ${scope}`);
      }),
    );
  };
  const choice = createSelect(
    "Flow",
    logins.map(({ name }) =>
      name === "authorizationCode" ? "Log in with your browser" : "Client credentials",
    ),
    (index) => {
      login = logins[index];
      show();
    },
  );
  const start = async () => {
    const place = getPlace();
    if (login === undefined || place === undefined)
      throw new Error("Choose an address that this page may call.");
    const chosen = [...scopes.querySelectorAll<HTMLInputElement>("input:checked")].map(({ value }) => value);
    const client: Client = { id: id.value.trim(), secret: secret.value, scopes: chosen };
    clients.set(scheme, client.id);
    if (client.id === "") {
      id.focus();
      throw new Error("Fill in the client ID.");
    }
    if (login.name === "clientCredentials") {
      const token = await fetchToken(login.tokenUrl, useClientCredentials(client));
      onToken(token, place.base);
      say(`The token is filled in.${token.note}`);
      return;
    }
    const proof = createProof();
    const address = toAddress(login.authorizationUrl ?? "");
    const { tokenUrl } = login;
    const started: StartedLogin = {
      ...{ ...place, ...proof, scheme, tokenUrl, redirect },
      ...{ id: client.id, page: toPage() },
    };
    const target = await toLoginAddress(address, client, { proof, redirect });
    sessionStorage.setItem(STORED, JSON.stringify(started));
    location.assign(target);
  };
  show();
  const element = create(
    "div",
    { class: "login" },
    logins.length > 1 ? choice.element : undefined,
    createField("Client ID", id),
    secretField,
    scopes,
    hint,
    button,
  );
  // Elsewhere in the form, this key sends the request.
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.target === button) return;
    event.preventDefault();
    button.click();
  });
  return element;
}
