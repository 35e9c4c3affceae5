import {
  findCarrier,
  findNextLink,
  GIVEN,
  type WireRequest,
  writeCredentials,
  writeRequest,
} from "../../../verify/messages/index.js";
import type { Call, Given } from "../../console/call.js";
import type { Callable } from "../../console/callable.js";
import { toCurl } from "../../console/curl-line.js";
import { explainFailure } from "../../console/explain.js";
import type { RequestVerdict, Verdicts } from "../../console/verdict.js";
import { create, createButton, createId } from "./dom.js";
import type { KeyFields } from "./key-fields.js";
import { type Arrival, type Outcome, send } from "./send.js";
import { showAnswer, toMs } from "./show-response.js";
import { showRequest } from "./show-request.js";

export interface SenderOptions {
  readonly callable: Callable;
  readonly keys: KeyFields | undefined;
  readonly verdicts: Verdicts;
  readonly judge: () => { readonly given: Given; readonly call: Call; readonly verdict: RequestVerdict };
  /** Address that the path is below; undefined where there is none that may be called. */
  readonly readBase: () => string | undefined;
  /** @param result `201, 12 ms` */
  readonly onSent: (result: string, next: string | undefined) => void;
}

export interface Sender {
  readonly buttons: HTMLElement;
  readonly results: HTMLElement;
  /** @param next Address of a next page, in place of what the form says. */
  send(next?: string): void;
  cancel(): void;
}

/** What one call consists of. */
interface Prepared {
  readonly wire: WireRequest;
  readonly base: string;
  readonly address: URL;
  readonly call: Call;
  readonly verdict: RequestVerdict;
  readonly curl: string;
}

/** Sends what a form says, and shows what comes of it. */
export function createSender(options: SenderOptions): Sender {
  const { callable, keys, onSent } = options;
  const id = createId();
  const status = create("p", { role: "status", class: "told" });
  const content = create("div");
  const submit = create("button", { type: "submit", class: "main" }, "Send");
  const cancel = createButton("Cancel", () => controller?.abort());
  cancel.hidden = true;
  let controller: AbortController | undefined;

  const show = async (next: string | undefined): Promise<void> => {
    controller?.abort();
    const current = new AbortController();
    controller = current;
    content.replaceChildren();
    status.classList.remove("shown");
    keys?.tell("");
    status.textContent = "Sending…";
    const prepared = await prepare(options, next);
    if (controller !== current) return;
    if (typeof prepared === "string") {
      status.textContent = prepared;
      return;
    }
    const { wire, base, address, curl } = prepared;
    cancel.hidden = false;
    const outcome = await send(wire, { address, signal: current.signal, cookies: wantsCookies(callable) });
    if (controller !== current) return;
    cancel.hidden = true;
    const request = showRequest(wire, base, curl);
    if ("failure" in outcome) {
      const { protocol, origin } = location;
      const why = explainFailure(outcome.failure, {
        address,
        protocol,
        origin: protocol === "file:" ? "null" : origin,
      });
      status.textContent = why;
      content.replaceChildren(request);
      onSent(toResult(outcome), next);
      return;
    }
    const verdict = await options.verdicts.answer(prepared.call, prepared.verdict, outcome);
    if (controller !== current) return;
    const keyHint = outcome.status === 401 ? describeKeys(callable, keys) : undefined;
    const found = findNext(outcome, prepared);
    const onNext =
      found === undefined
        ? undefined
        : () => {
            run(found);
          };
    content.replaceChildren(showAnswer(outcome, { verdict, keyHint, onNext }), request);
    // To be heard: for the eyes the answer says the same.
    status.classList.add("shown");
    const judgement = verdict.faults.length === 0 ? "keeps" : "breaks";
    status.textContent = `${outcome.status} ${outcome.statusText} after ${toMs(outcome.times.end)}. The answer ${judgement} the contract.`;
    onSent(toResult(outcome), next);
    if (keyHint !== undefined) keys?.tell(keyHint);
  };

  const run = (next: string | undefined): void => {
    show(next).catch((error: unknown) => {
      cancel.hidden = true;
      status.textContent = `This page has failed: ${(error as Error).message}`;
    });
  };

  return {
    buttons: create(
      "p",
      { class: "buttons" },
      submit,
      cancel,
      create("span", { class: "faint" }, "Ctrl+Enter sends"),
    ),
    results: create(
      "section",
      { class: "results", "aria-labelledby": id },
      create("h2", { id }, "Answer"),
      status,
      content,
    ),
    send: run,
    cancel: () => {
      const last = controller;
      controller = undefined;
      last?.abort();
    },
  };
}

/** @returns why it cannot be sent. */
async function prepare(
  { callable, keys, judge, readBase }: SenderOptions,
  next: string | undefined,
): Promise<Prepared | string> {
  const base = readBase();
  if (base === undefined) return "Choose an address that this page may call.";
  const { operation, contract } = callable;
  if (operation.method === "trace") return "Browsers do not let pages send TRACE.";
  const { given, call, verdict } = judge();
  const requirement = keys?.requirement;
  const wanted = { ...operation, security: requirement === undefined ? [] : [requirement] };
  const credentials = writeCredentials(
    wanted,
    contract,
    keys?.read() ?? { keys: new Map(), headers: [] },
    GIVEN,
  );
  try {
    const written = await writeRequest(call.parts, credentials);
    const wire = next === undefined ? written : toNextRequest(written, next, base);
    const address = new URL(base + wire.path);
    if (address.origin !== new URL(base).origin)
      return "The path leads to another address than the one chosen.";
    const curl = toCurl(wire, base, next === undefined ? given.body : undefined);
    const isBodiless = operation.method === "get" || operation.method === "head";
    const { body, ...head } = wire;
    return { wire: isBodiless || body === undefined ? head : wire, base, address, call, verdict, curl };
  } catch (error) {
    if (!(error instanceof TypeError) && !(error instanceof URIError)) throw error;
    return `It cannot be sent: ${error.message}`;
  }
}

/** The service says itself where its next page is; a key in the query is no part of that. */
function toNextRequest(written: WireRequest, next: string, base: string): WireRequest {
  const path = next.slice(base.length);
  return { ...written, path, shownPath: path };
}

/** The address of the next page, where it is below the one that was called: the key goes nowhere else. */
function findNext({ headers, status }: Arrival, { base, address, wire }: Prepared): string | undefined {
  const link = findNextLink(headers["link"] ?? "");
  if (link === undefined || wire.method !== "GET" || status >= 300 || !URL.canParse(link, address))
    return undefined;
  const { href, hash } = new URL(link, address);
  return href.startsWith(`${base}/`) && hash === "" ? href : undefined;
}

function describeKeys({ operation }: Callable, keys: KeyFields | undefined): string {
  if (keys === undefined || operation.security.length === 0)
    return "The service wants a key, and the contract says that none is needed.";
  const missing = keys.listMissing();
  const all = Object.keys(keys.requirement ?? {});
  return missing.length > 0
    ? `The service wants a key: fill in ${missing.join(" and ")}.`
    : `The service did not accept the key: check ${all.join(" and ")}.`;
}

function wantsCookies({ operation, contract }: Callable): boolean {
  const schemes = operation.security.flatMap((requirement) => Object.keys(requirement));
  return (
    operation.parameters.some(({ in: place }) => place === "cookie") ||
    schemes.some((name) => {
      const carrier = findCarrier(contract, name);
      return carrier?.kind === "apiKey" && carrier.in === "cookie";
    })
  );
}

function toResult(outcome: Outcome): string {
  return "failure" in outcome ? "no answer" : `${outcome.status}, ${toMs(outcome.times.end)}`;
}
