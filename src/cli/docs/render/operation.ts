import { toServerUrl, type Operation, type OutgoingRequest } from "tenon/core/model";
import type { RenderContext } from "./context.js";
import { listOwnBadges, renderExternalDocs } from "./extras.js";
import { code, joinPhrases, type Phrase, phrase } from "../texts/phrase.js";
import { type Html, html, renderAnchor, renderBreakable, renderPhrase } from "./html.js";
import { toOperationId, toOutgoingId } from "./ids.js";
import { renderLifecycle, renderState } from "./lifecycle.js";
import { renderMarkdown } from "./markdown.js";
import { renderParameters } from "./parameters.js";
import {
  renderBodyExamples,
  renderExamples,
  renderExampleText,
  renderRequestBody,
  renderResponses,
} from "./responses.js";
import { describeSecurity } from "./security.js";
import { renderSamples } from "./code.js";
import { renderTabs } from "./tabs.js";
import type { SampleSet } from "../samples/samples.js";

/** Makes something of an operation, if an earlier build has not made it from the same. */
export function reuseOperation<Made>(
  kind: string,
  { method, path, pointer, pathItem }: Operation,
  { reuse }: RenderContext,
  make: () => Made,
): Made {
  return reuse(`${kind} ${method} ${path}`, [pointer, pathItem.declaredAt], make);
}

/** Renders an operation: what it does on the left, code on the right; on narrow screens, code is between the two halves of the text. */
export function renderOperation(operation: Operation, context: RenderContext): Html {
  const { method, lifecycle, description, callbacks, servers, requestBody } = operation;
  const place = toOperationId(operation);
  const path = toWholePath(operation, context);
  const samples = context.toSamples(operation);
  const inSamples = samples.flatMap(({ example }) => example ?? []);
  const label = toLabel(operation);
  // Operations without names may have the same path.
  const named =
    label === operation.path
      ? html`aria-label="${method.toUpperCase()} ${path}"`
      : html`aria-labelledby="${place}/name"`;
  return html`<section class="operation" id="${place}" ${named}>
    <div class="about">
      <h3 id="${place}/name">
        ${label}${listOwnBadges(operation, context).map((name) => html` <span class="mark badge">${name}</span>`)}${renderState(lifecycle, context.now)}${renderAnchor(place, "this operation")}
      </h3>
      ${renderAddress(method, path)}${renderLifecycle(lifecycle, context.now)}${renderMarkdown(description, { below: 3 })}${renderExternalDocs(operation, context)}${renderFacts(operation, context)}${
        servers.length > 0 &&
        html`<p class="note">At ${servers.map((server) => html`<code>${toServerUrl(server)}</code> `)}</p> `
      }
    </div>
    <div class="beside">
      <div class="request">
        <p class="heading">
          ${renderMethod(method)} <code>${path}</code>${isCallable(context) && html` <button type="button" class="button try" aria-describedby="${place}/name">Try it</button>`}
        </p>
        ${renderSampleSets(samples, context)}
      </div>
      ${renderBodyExamples(requestBody, context, inSamples)}${renderExamples(operation, context)}
    </div>
    <div class="details">
      ${renderParameters(operation, place, context.request)}${renderRequestBody(requestBody, context.request)}${renderResponses(operation, place, context)}${callbacks.map(
        (callback) => renderOutgoing(callback, context, place),
      )}
    </div>
  </section> `;
}

/** Renders samples for each example of the body. */
function renderSampleSets(sets: readonly SampleSet[], { contract }: RenderContext): Html {
  const servers = contract.servers.map(toServerUrl);
  const panels = sets.map(({ example, samples }) => ({
    label: example?.summary ?? example?.name ?? "",
    content: html`${renderExampleText(example?.description)}${renderSamples(samples, servers)}`,
  }));
  return renderTabs(panels, { name: "Example" });
}

/** The path of an operation below its server's host. */
export function toWholePath({ basePaths, path }: Operation, { contract }: RenderContext): string {
  return `${basePaths?.[0] ?? contract.basePath}${path}`;
}

/** The name of an operation for readers. */
export function toLabel({ summary, hasId, id, path }: Operation): string {
  return summary ?? (hasId ? toWords(id) : path);
}

export function toOutgoingLabel({ summary, operationId, name }: OutgoingRequest): string {
  return summary ?? (operationId === undefined ? name : toWords(operationId));
}

/** Divides the name of an operation into words: `PostIntentsConfirm` is "Post intents confirm". Abbreviations stay. */
function toWords(id: string): string {
  const words = id.match(/\p{Lu}?[\p{Ll}\d]+|\p{Lu}+(?!\p{Ll})|\p{Lo}+/gu) ?? [id];
  const text = words.map((word) => (/^.\p{Ll}/u.test(word) ? word.toLowerCase() : word)).join(" ");
  return text.replace(/^./u, (first) => first.toUpperCase());
}

function isCallable({ contract }: RenderContext): boolean {
  return contract.openapi.startsWith("3.");
}

/** The address of a webhook. */
export const REGISTERED = "the address that you register";

/** Renders a request that the service sends. */
export function renderOutgoing(request: OutgoingRequest, context: RenderContext, owner?: string): Html {
  const { name, expression, method, description, lifecycle } = request;
  const place = toOutgoingId(request, owner);
  const level = owner === undefined ? html`h3` : html`h4`;
  const kind = owner === undefined ? "Webhook" : "Callback";
  // The service sends what it has to send by the contract's rules for responses, and reads responses as requests.
  const about = html`<${level} id="${place}/name">${toOutgoingLabel(request)}${renderState(lifecycle, context.now)}${renderAnchor(place, `this ${kind.toLowerCase()}`)}</${level}>
<p class="kind">${kind} <code>${name}</code></p>
${renderAddress(method, expression ?? REGISTERED)}${renderLifecycle(lifecycle, context.now)}${renderMarkdown(description, { below: 3 })}${renderExternalDocs(request, context)}`;
  const details = html`${renderParameters(request, place, context.request)}${renderRequestBody(request.requestBody, context.request)}${renderResponses(request, place, context)}`;
  const examples = html`${renderBodyExamples(request.requestBody, context)}${renderExamples(request, context)}`;
  if (owner !== undefined)
    return html`<section class="callback" id="${place}">${about}${details}${examples}</section> `;
  return html`<section class="operation" id="${place}" aria-labelledby="${place}/name">
    <div class="about">${about}</div>
    <div class="beside">${examples}</div>
    <div class="details">${details}</div>
  </section> `;
}

export function renderMethod(method: string): Html {
  return html`<span class="method ${method}">${method.toUpperCase()}</span>`;
}

function renderAddress(method: string, path: string): Html {
  return html`<p class="address">${renderMethod(method)} <code>${renderPath(path)}</code></p> `;
}

/** Renders a path, which may be broken after its segments and words, with marked parameters, which stay whole. */
export function renderPath(path: string): Html {
  const parts = path
    .split(/(\{[^{}]*\})/)
    .map((part) =>
      part.startsWith("{") ? html`<span class="variable">${part}</span>` : renderBreakable(part),
    );
  return html`${parts}`;
}

/** Headers with the number of calls that are left: those of the IETF's proposals, or the convention before them. */
const LIMIT_HEADER = /^(?:x-)?rate-?limit/i;

/** Lists facts that follow from an operation's parts: its id, the key that it needs, its limits, and whether it can be repeated. */
export function listCallFacts(operation: Operation, context: RenderContext): readonly Phrase[] {
  const { hasId, id, responses, parameters } = operation;
  const isLimited = responses.some(({ status }) => status === "429");
  const headers = responses.flatMap((response) => response.headers.map(({ name }) => name));
  const names = [...new Set(headers.filter((name) => LIMIT_HEADER.test(name)))];
  const key = parameters.find(
    (parameter) => parameter.in === "header" && /^(?:x-)?idempotency-key$/i.test(parameter.name),
  );
  const codes = names.map((name) => [code(name)]);
  const limits = [
    ...(isLimited ? [": 429 when there are too many calls"] : []),
    ...(names.length > 0 ? [", reported by ", ...joinPhrases(codes, ", ")] : []),
  ];
  const facts = [
    hasId ? phrase`operationId: ${code(id)}` : undefined,
    describeSecurity(operation, context),
    limits.length > 0 ? phrase`Limited${limits}` : undefined,
    key === undefined ? undefined : phrase`Can be repeated safely with ${code(key.name)}`,
  ];
  return facts.filter((fact) => fact !== undefined);
}

function renderFacts(operation: Operation, context: RenderContext): Html | undefined {
  const facts = listCallFacts(operation, context);
  return facts.length > 0
    ? html`<ul class="facts">
        ${facts.map((fact) => html`<li>${renderPhrase(fact)}</li> `)}
      </ul> `
    : undefined;
}
