import { getByPointer, getOwn, type Node, toNode, toText } from "tenon/core/document";
import type { Credential, OAuthFlow, Operation, SecurityRequirement, SecurityScheme } from "tenon/core/model";
import type { RenderContext } from "./context.js";
import { type Html, html, join, linkTo } from "./html.js";
import { toIdPart } from "./ids.js";
import { renderMarkdown } from "./markdown.js";

/** Renders what an operation needs to be called; nothing where the contract has no security. */
export function renderSecurity({ security }: Operation, { contract }: RenderContext): Html | undefined {
  if (contract.securitySchemes.length === 0) return undefined;
  if (security.every((requirement) => Object.keys(requirement).length === 0))
    return html`<li class="security">No key needed</li> `;
  return html`<li class="security">Needs ${join(security.map(renderRequirement), " or ")}</li> `;
}

function renderRequirement(requirement: SecurityRequirement): Html {
  const names = Object.entries(requirement);
  if (names.length === 0) return html`nothing`;
  const schemes = names.map(([name, scopes]) => {
    const list = scopes.map((scope) => html` <code>${scope}</code>`);
    return html`<a href="${linkTo(toSchemeId(name))}">${name}</a>${scopes.length > 0 && html` with${list}`}`;
  });
  return html`${join(schemes, " and ")}`;
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
      ${schemes.map(({ name, credential }) => html`<li><a href="${linkTo(toSchemeId(name))}">${name}</a> ${describeCredential(credential)}</li> `)}
    </ul>
  </div> `;
}

function renderScheme(scheme: SecurityScheme, { document }: RenderContext): Html {
  const { name, description, credential, flows, openIdConnectUrl, oauth2MetadataUrl, deprecated } = scheme;
  return html`<li id="${toSchemeId(name)}">
    <p class="line"><code class="name">${name}</code> ${describeCredential(credential)}${deprecated && html` <span class="mark deprecated">deprecated</span>`}</p>
    ${renderMarkdown(description, { below: 3 })}${[openIdConnectUrl, oauth2MetadataUrl].map((url) => url !== undefined && html`<p>Configuration: <code>${url}</code></p> `)}${flows.map(
      (flow) =>
        html`<p>
          <strong>${flow.name}</strong
          >${flow.authorizationUrl !== undefined && html`, authorization at <code>${flow.authorizationUrl}</code>`}${flow.deviceAuthorizationUrl !== undefined && html`, devices at <code>${flow.deviceAuthorizationUrl}</code>`}${flow.tokenUrl !== undefined && html`, tokens at <code>${flow.tokenUrl}</code>`}${flow.refreshUrl !== undefined && html`, refreshed at <code>${flow.refreshUrl}</code>`}${flow.scopes.length > 0 && "; scopes:"}
        </p> ${renderScopes(flow, document)}`,
    )}
  </li> `;
}

function renderScopes({ scopes, pointer }: OAuthFlow, document: Node): Html | undefined {
  if (scopes.length === 0) return undefined;
  const texts = toNode(toNode(getByPointer(document, pointer))["scopes"]);
  return html`<ul class="values">
    ${scopes.map((scope) => html`<li><code>${scope}</code> ${toText(getOwn(texts, scope))}</li> `)}
  </ul> `;
}

function describeCredential(credential: Credential): Html {
  switch (credential.kind) {
    case "http":
      return html`header
        <code>Authorization: ${credential.scheme.replace(/^./, (first) => first.toUpperCase())} …</code>`;
    case "apiKey":
      return html`${credential.in} <code>${credential.name}</code>`;
    case "oauth2":
      return html`OAuth 2.0`;
    case "openIdConnect":
      return html`OpenID Connect`;
    case "mutualTLS":
      return html`client certificate (mutual TLS)`;
    case "unknown":
      return html`${credential.type}`;
  }
}
