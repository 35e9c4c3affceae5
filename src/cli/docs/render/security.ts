import { getByPointer, getOwn, type Node, toNode, toText } from "tenon/core/document";
import type { Credential, OAuthFlow, Operation, SecurityRequirement, SecurityScheme } from "tenon/core/model";
import type { RenderContext } from "./context.js";
import { code, joinPhrases, type Phrase, phrase } from "../texts/phrase.js";
import { type Html, html, linkTo, renderPhrase } from "./html.js";
import { toIdPart } from "./ids.js";
import { renderMarkdown } from "./markdown.js";

/** Describes what an operation needs to be called; nothing where the contract has no security. */
export function describeSecurity({ security }: Operation, { contract }: RenderContext): Phrase | undefined {
  if (contract.securitySchemes.length === 0) return undefined;
  if (security.every((requirement) => Object.keys(requirement).length === 0)) return phrase`No key needed`;
  return phrase`Needs ${joinPhrases(security.map(describeRequirement), " or ")}`;
}

function describeRequirement(requirement: SecurityRequirement): Phrase {
  const names = Object.entries(requirement);
  if (names.length === 0) return phrase`nothing`;
  const schemes = names.map(([name, scopes]) => {
    const list = scopes.flatMap((scope) => [" ", code(scope)]);
    return phrase`${{ text: name, to: toSchemeId(name) }}${scopes.length > 0 ? [" with", ...list] : []}`;
  });
  return joinPhrases(schemes, " and ");
}

export const SECURITY_ID = "section/Security";

function toSchemeId(name: string): string {
  return `security/${toIdPart(name)}`;
}

/** Renders the security schemes of a contract. */
export function renderSchemes(context: RenderContext): Html | undefined {
  const { securitySchemes } = context.contract;
  if (securitySchemes.length === 0) return undefined;
  return html`<section class="part" id="${SECURITY_ID}">
    <h2>Security schemes</h2>
    <ul class="members">
      ${securitySchemes.map((scheme) => renderScheme(scheme, context))}
    </ul>
  </section> `;
}

/** Lists the credentials of callers and how they are sent. */
export function renderKeys(schemes: readonly SecurityScheme[]): Html | undefined {
  if (schemes.length === 0) return undefined;
  return html`<div class="examples">
    <p class="heading">Authentication</p>
    <ul class="keys">
      ${schemes.map(({ name, credential }) => html`<li><a href="${linkTo(toSchemeId(name))}">${name}</a> ${renderPhrase(describeCredential(credential))}</li> `)}
    </ul>
  </div> `;
}

function renderScheme(scheme: SecurityScheme, { document }: RenderContext): Html {
  const { name, description, credential, flows, openIdConnectUrl, oauth2MetadataUrl, deprecated } = scheme;
  return html`<li id="${toSchemeId(name)}">
    <p class="line"><code class="name">${name}</code> ${renderPhrase(describeCredential(credential))}${deprecated && html` <span class="mark deprecated">deprecated</span>`}</p>
    ${renderMarkdown(description, { below: 3 })}${[openIdConnectUrl, oauth2MetadataUrl].map((url) => url !== undefined && html`<p>Configuration: <code>${url}</code></p> `)}${flows.map(
      (flow) =>
        html`<p><strong>${flow.name}</strong>${renderPhrase(describeFlow(flow))}${flow.scopes.length > 0 && "; scopes:"}</p> ${renderScopes(flow, document)}`,
    )}
  </li> `;
}

/** Describes the addresses of a flow. */
export function describeFlow(flow: OAuthFlow): Phrase {
  const addresses = [
    ["authorization at", flow.authorizationUrl],
    ["devices at", flow.deviceAuthorizationUrl],
    ["tokens at", flow.tokenUrl],
    ["refreshed at", flow.refreshUrl],
  ] as const;
  return addresses.flatMap(([text, url]) => (url === undefined ? [] : [`, ${text} `, code(url)]));
}

/** Lists the scopes of a flow, each with its meaning. */
export function listScopes({ scopes, pointer }: OAuthFlow, document: Node) {
  const texts = toNode(toNode(getByPointer(document, pointer))["scopes"]);
  return scopes.map((scope) => ({ scope, meaning: toText(getOwn(texts, scope)) }));
}

function renderScopes(flow: OAuthFlow, document: Node): Html | undefined {
  if (flow.scopes.length === 0) return undefined;
  return html`<ul class="values">
    ${listScopes(flow, document).map(({ scope, meaning }) => html`<li><code>${scope}</code> ${meaning}</li> `)}
  </ul> `;
}

/** Describes how a credential is sent. */
export function describeCredential(credential: Credential): Phrase {
  switch (credential.kind) {
    case "http":
      return phrase`header ${code(`Authorization: ${credential.scheme.replace(/^./, (first) => first.toUpperCase())} …`)}`;
    case "apiKey":
      return phrase`${credential.in} ${code(credential.name)}`;
    case "oauth2":
      return phrase`OAuth 2.0`;
    case "openIdConnect":
      return phrase`OpenID Connect`;
    case "mutualTLS":
      return phrase`client certificate (mutual TLS)`;
    case "unknown":
      return phrase`${credential.type}`;
  }
}
