import { getOwn, type Node, toNode, toText } from "tenon/core/document";
import { toServerUrl } from "tenon/core/model";
import type { RenderContext } from "./context.js";
import { listDecisions } from "../texts/decisions.js";
import { listTexts } from "../texts/list-texts.js";
import { isWebAddress, renderExternalDocs } from "./extras.js";
import { renderCodeBlock } from "./code.js";
import { Html, html } from "./html.js";
import { type Heading, renderMarkdown } from "./markdown.js";
import { renderKeys, renderSchemes } from "./security.js";

export const INTRODUCTION_ID = "section/Introduction";
const SERVERS_ID = "section/Servers";

export interface Introduction {
  readonly content: Html;
  /** Its parts, for the menu. */
  readonly headings: readonly Heading[];
}

/** Renders what comes before the operations: the contract's description, its servers and how callers authenticate. */
export function renderIntroduction(
  context: RenderContext,
  { service, hasChangelog }: { readonly service: string | undefined; readonly hasChangelog: boolean },
): Introduction {
  const { contract, document } = context;
  const headings: Heading[] = [];
  const info = toNode(getOwn(document, "info"));
  const description = listDecisions(contract.description ?? "", listTexts(contract));
  const prose = renderMarkdown(description, { below: 1, onHeading: (heading) => headings.push(heading) });
  const servers = renderServers(context, service);
  const schemes = renderSchemes(context);
  if (servers !== undefined) headings.push({ id: SERVERS_ID, text: "Servers", level: 1 });
  if (schemes !== undefined) headings.push({ id: "section/Security", text: "Security schemes", level: 1 });
  const content = html`<section class="part introduction" id="${INTRODUCTION_ID}">
      <div class="about">
        <h1>${contract.title}</h1>
        <p class="version">Version ${contract.version}${renderLicense(info)}</p>
        ${typeof info["summary"] === "string" && html`<p class="lead">${info["summary"]}</p> `}${renderLinks(info, hasChangelog, context)}${prose}
      </div>
      ${renderStart(context, service)}
    </section>
    ${servers}${schemes}`;
  return { content, headings };
}

function renderLicense(info: Node): Html | undefined {
  const { name, url } = toNode(getOwn(info, "license"));
  if (typeof name !== "string") return undefined;
  return html` · licence ${isWebAddress(url) ? html`<a href="${url}">${name}</a>` : name}`;
}

function renderLinks(info: Node, hasChangelog: boolean, context: RenderContext): Html {
  const { name, url, email } = toNode(getOwn(info, "contact"));
  const terms = info["termsOfService"];
  const links = [
    html`<a href="openapi.yaml">openapi.yaml</a>`,
    html`<a href="openapi.json">openapi.json</a>`,
    html`<a href="llms.txt">llms.txt</a>`,
    hasChangelog && html`<a href="changelog.html">Changelog</a>`,
    renderExternalDocs({ pointer: "#" }, context),
    isWebAddress(url) && html`<a href="${url}">${toText(name) ?? "Contact"}</a>`,
    typeof email === "string" && html`<a href="mailto:${email}">${email}</a>`,
    isWebAddress(terms) && html`<a href="${terms}">Terms of service</a>`,
  ];
  return html`<ul class="links">
    ${links.map((link) => link instanceof Html && html`<li>${link}</li>`)}
  </ul> `;
}

/** Renders the address that operations are called at, and the keys that they need, beside the introduction. */
function renderStart({ contract }: RenderContext, service: string | undefined): Html | undefined {
  const url = service ?? contract.servers.map(toServerUrl)[0];
  const keys = renderKeys(contract.securitySchemes);
  if (url === undefined && keys === undefined) return undefined;
  return html`<div class="beside">
    ${
      url !== undefined &&
      html`<div class="request">
        <p class="heading">Base URL</p>
        ${renderCodeBlock(html`<span data-address="${url}">${url}</span>`)}
      </div> `
    }${keys}
  </div> `;
}

function renderServers({ contract }: RenderContext, service: string | undefined): Html | undefined {
  const known = contract.servers.find((server) => toServerUrl(server) === service);
  const own = service !== undefined && known === undefined;
  const servers = [...(known ? [known] : []), ...contract.servers.filter((server) => server !== known)];
  if (servers.length === 0 && !own) return undefined;
  return html`<section class="part" id="${SERVERS_ID}">
    <h2>Servers</h2>
    <ul class="members">
      ${
        own &&
        html`<li>
          <p class="line"><code class="name" data-address="${service}">${service}</code> This service</p>
        </li> `
      }${servers.map(
        (server) =>
          html`<li>
            <p class="line">
              <code class="name" data-address="${toServerUrl(server)}">${toServerUrl(server)}</code>${server.name !== undefined && html` ${server.name}`}
            </p>
            ${renderMarkdown(server.description, { below: 3 })}${
              server.variables.length > 0 &&
              html`<ul class="members">
                ${server.variables.map(
                  (variable) =>
                    html`<li>
                      <p class="line">
                        <code class="name">${variable.name}</code> <span class="type">${server.url}</span>
                      </p>
                      ${variable.enum.length > 0 && html`<p class="values">One of ${variable.enum.map((value) => html`<code>${value}</code> `)}</p> `}${variable.default !== undefined && html`<p class="limits">default <code>${variable.default}</code></p> `}${renderMarkdown(variable.description, { below: 4 })}
                    </li> `,
                )}
              </ul> `
            }
          </li> `,
      )}
    </ul>
  </section> `;
}
