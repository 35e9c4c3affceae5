import {
  findCarrier,
  type WireRequest,
  writeCredentials,
  writeRequest,
} from "../../../verify/messages/index.js";
import { findNextLink } from "tenon/core/http";
import { type Call, type Given, toCurl } from "../../console/call.js";
import type { Callable } from "../../console/callable.js";
import type { RequestVerdict, Verdicts } from "../../console/verdict.js";
import { create, createButton } from "../dom.js";
import type { KeyFields } from "./key-fields.js";
import { createItems, toMs } from "./items.js";
import { type Arrival, explain, type Outcome, send } from "./send.js";
import { createPanels, listRequestPanels, showExchange } from "./show-exchange.js";

export interface SenderOptions {
  readonly callable: Callable;
  readonly keys: KeyFields | undefined;
  readonly verdicts: Verdicts;
  readonly validate: () => { readonly given: Given; readonly call: Call; readonly verdict: RequestVerdict };
  /** Address that the path is below; undefined when the page may not call it. */
  readonly readBase: () => string | undefined;
  /** @param result `201, 12 ms` */
  readonly onSent: (result: string, next: string | undefined) => void;
}

/** Sends the request of a form, and shows its response. */
export function createSender(options: SenderOptions) {
  const { callable, keys, onSent } = options;
  const status = create("p", { role: "status", class: "outcome" });
  const content = create("div", { class: "exchange" });
  const results = create("div", { class: "results" }, status, content);
  const cancel = createButton("Cancel", () => controller?.abort());
  cancel.hidden = true;
  let controller: AbortController | undefined;

  const show = async (next: string | undefined): Promise<void> => {
    controller?.abort();
    const current = new AbortController();
    controller = current;
    content.replaceChildren();
    status.classList.remove("shown");
    keys?.showRejection("");
    status.textContent = "Sending…";
    const prepared = await prepare(options, next);
    if (controller !== current) return;
    if (typeof prepared === "string") {
      status.textContent = prepared;
      return;
    }
    const { wire, base, address, curl } = prepared;
    cancel.textContent = "Cancel";
    cancel.hidden = false;
    const items = createItems();
    const outcome = await send(wire, address, {
      signal: current.signal,
      cookies: wantsCookies(callable),
      onItem: (item, time) => {
        items.add(item, time);
      },
      onStream() {
        status.textContent = "Receiving…";
        cancel.textContent = "Stop";
        content.replaceChildren(items.element);
        results.scrollIntoView({ block: "nearest" });
      },
    });
    if (controller !== current) return;
    items.show();
    cancel.hidden = true;
    if ("failure" in outcome) {
      status.textContent = explain(outcome.failure, address);
      content.replaceChildren(createPanels(listRequestPanels(wire, base, curl)));
      onSent(toResult(outcome), next);
      return;
    }
    const verdict = await options.verdicts.response(prepared.call, prepared.verdict, outcome);
    if (controller !== current) return;
    const keyHint = outcome.status === 401 ? describeKeys(callable, keys) : undefined;
    const found = findNext(outcome, prepared);
    const getNext = () => {
      run(found);
    };
    content.replaceChildren(
      ...showExchange({
        ...{ response: outcome, verdict, wire, base, curl, keyHint },
        items: outcome.isStream ? items : undefined,
        getNext: found === undefined ? undefined : getNext,
      }),
    );
    // Only for screen readers: the response shows the same.
    status.classList.add("shown");
    const result = verdict.violations.length === 0 ? "is valid" : "violates the contract";
    const stopped = outcome.end === "stopped" ? ", stopped" : "";
    status.textContent = `${outcome.status} ${outcome.statusText} after ${toMs(outcome.times.end)}${stopped}. The response ${result}.`;
    results.scrollIntoView({ block: "nearest" });
    onSent(toResult(outcome), next);
    if (keyHint !== undefined) keys?.showRejection(keyHint);
  };

  /** @param next Address of a next page, in place of the form's. */
  const run = (next?: string): void => {
    show(next).catch((error: unknown) => {
      cancel.hidden = true;
      status.textContent = `This page has failed: ${(error as Error).message}`;
    });
  };

  return { cancel, results, send: run };
}

/** Prepares a call. @returns a message when it cannot be sent. */
async function prepare({ callable, keys, validate, readBase }: SenderOptions, next: string | undefined) {
  const base = readBase();
  if (base === undefined) return "Choose an address that this page may call.";
  const { operation, contract } = callable;
  if (operation.method === "trace") return "Browsers do not let pages send TRACE.";
  const { given: input, call, verdict } = validate();
  const requirement = keys?.getRequirement();
  const secured = { ...operation, security: requirement === undefined ? [] : [requirement] };
  const given = (await keys?.read()) ?? { keys: new Map(), headers: [] };
  const credentials = writeCredentials(secured, contract, given);
  try {
    const written = await writeRequest(call.parts, credentials);
    const wire = next === undefined ? written : toNextRequest(written, next, base);
    const address = new URL(base + wire.path);
    if (address.origin !== new URL(base).origin)
      return "The path leads to another address than the chosen one.";
    const curl = toCurl(wire, base, next === undefined ? input.body : undefined);
    const isBodiless = operation.method === "get" || operation.method === "head";
    const { body, ...head } = wire;
    return { wire: isBodiless || body === undefined ? head : wire, base, address, call, verdict, curl };
  } catch (error) {
    if (!(error instanceof TypeError) && !(error instanceof URIError)) throw error;
    return `It cannot be sent: ${error.message}`;
  }
}

/** Sends the next page's request as the service's link has it, without a key in the query. */
function toNextRequest(written: WireRequest, next: string, base: string): WireRequest {
  const path = next.slice(base.length);
  return { ...written, path, shownPath: path };
}

/** Finds the address of the next page below the called one: the key is sent nowhere else. */
function findNext(
  { headers, status }: Arrival,
  { base, address, wire }: Exclude<Awaited<ReturnType<typeof prepare>>, string>,
): string | undefined {
  const link = findNextLink(headers["link"] ?? "");
  if (link === undefined || wire.method !== "GET" || status >= 300 || !URL.canParse(link, address))
    return undefined;
  const { href, hash } = new URL(link, address);
  return href.startsWith(`${base}/`) && hash === "" ? href : undefined;
}

function describeKeys({ operation }: Callable, keys: KeyFields | undefined): string {
  if (keys === undefined || operation.security.length === 0)
    return "The service requires a key, but the contract says that none is needed.";
  const missing = keys.listMissing();
  const all = Object.keys(keys.getRequirement() ?? {});
  return missing.length > 0
    ? `The service requires a key: fill in ${missing.join(" and ")}.`
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
  return "failure" in outcome ? "no response" : `${outcome.status}, ${toMs(outcome.times.end)}`;
}
