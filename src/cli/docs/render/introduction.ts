import { getOwn, toNode, toText } from "tenon/core/document";
import { type Contract, type Server, toServerUrl } from "tenon/core/model";
import type { RenderContext } from "./context.js";
import { listDecisions } from "../texts/decisions.js";
import { listTexts } from "../texts/list-texts.js";
import { isWebAddress, readExternalDocs, type WebLink } from "./extras.js";
import { remember } from "../remember.js";
import { renderCodeBlock } from "./code.js";
import { type Html, html } from "./html.js";
import { type Heading, renderMarkdown } from "./markdown.js";
import { renderPath } from "./operation.js";
import { renderKeys, renderSchemes, SECURITY_ID } from "./security.js";

export const INTRODUCTION_ID = "section/Introduction";
const SERVERS_ID = "section/Servers";

export interface IntroductionOptions {
  /** Address of the running service. */
  readonly service: string | undefined;
  readonly hasChangelog: boolean;
}

export interface Introduction {
  readonly content: Html;
  /** Its parts, for the menu. */
  readonly headings: readonly Heading[];
}

/** Renders what comes before the operations: the contract's description, its servers and how callers authenticate. */
export function renderIntroduction(
  context: RenderContext,
  { service, hasChangelog }: IntroductionOptions,
): Introduction {
  const { contract } = context;
  const headings: Heading[] = [];
  const summary = readSummary(context);
  const description = describeContract(contract);
  const prose = renderMarkdown(description, { below: 1, onHeading: (heading) => headings.push(heading) });
  const listed = listServers(context, service);
  const [first] = listed;
  // A single address stands beside the introduction already.
  const servers =
    listed.length > 1 || (first !== undefined && isDescribed(first)) ? renderServers(listed) : undefined;
  const schemes = renderSchemes(context);
  if (servers !== undefined) headings.push({ id: SERVERS_ID, text: "Servers", level: 1 });
  if (schemes !== undefined) headings.push({ id: SECURITY_ID, text: "Security schemes", level: 1 });
  const content = html`<section class="part introduction" id="${INTRODUCTION_ID}">
      <div class="about">
        <h1>${contract.title}</h1>
        <p class="version">Version ${contract.version} · OpenAPI ${contract.openapi}${renderLicense(context)}</p>
        ${summary !== undefined && html`<p class="lead">${summary}</p> `}${renderLinks(context, hasChangelog)}${prose}
      </div>
      ${renderStart(context, first?.url, servers !== undefined)}
    </section>
    ${servers}${schemes}`;
  return { content, headings };
}

export function readSummary({ document }: RenderContext): string | undefined {
  const { summary } = toNode(getOwn(document, "info"));
  return typeof summary === "string" ? summary : undefined;
}

/** Returns the contract's description with its decisions. */
export const describeContract = remember((contract: Contract) =>
  listDecisions(contract.description ?? "", listTexts(contract)),
);

/** Reads the name of the licence, with an address unless it has none. */
export function readLicense({ document }: RenderContext): { text: string; href?: string } | undefined {
  const { name, url } = toNode(getOwn(toNode(getOwn(document, "info")), "license"));
  return typeof name === "string" ? { text: name, ...(isWebAddress(url) && { href: url }) } : undefined;
}

function renderLicense(context: RenderContext): Html | undefined {
  const { text, href } = readLicense(context) ?? {};
  if (text === undefined) return undefined;
  return html` · licence ${href === undefined ? text : html`<a href="${href}">${text}</a>`}`;
}

/** Lists links to the contract, its history and what its author names. */
export function listLinks(context: RenderContext, hasChangelog: boolean): readonly WebLink[] {
  const info = toNode(getOwn(context.document, "info"));
  const { name, url, email } = toNode(getOwn(info, "contact"));
  const terms = info["termsOfService"];
  const files = ["openapi.yaml", "openapi.json", "llms.txt"].map((file) => ({ text: file, href: file }));
  const links = [
    ...files,
    hasChangelog ? { text: "Changelog", href: "changelog.html" } : undefined,
    readExternalDocs({ pointer: "#" }, context),
    isWebAddress(url) ? { text: toText(name) ?? "Contact", href: url } : undefined,
    typeof email === "string" ? { text: email, href: `mailto:${email}` } : undefined,
    isWebAddress(terms) ? { text: "Terms of service", href: terms } : undefined,
  ];
  return links.filter((link) => link !== undefined);
}

function renderLinks(context: RenderContext, hasChangelog: boolean): Html {
  return html`<ul class="links">
    ${listLinks(context, hasChangelog).map(({ text, href }) => html`<li><a href="${href}">${text}</a></li> `)}
  </ul> `;
}

/**
 * Renders the address that operations are called at, and the keys that they need, beside the introduction.
 * @param isRepeated The servers follow: narrow screens have no address beside them.
 */
function renderStart(
  { contract }: RenderContext,
  url: string | undefined,
  isRepeated: boolean,
): Html | undefined {
  const keys = renderKeys(contract.securitySchemes);
  if (url === undefined && keys === undefined) return undefined;
  return html`<div class="beside${isRepeated && " repeated"}">
    ${
      url !== undefined &&
      html`<div class="request">
        <p class="heading">Base URL</p>
        ${renderCodeBlock(html`<span data-address="${url}">${url}</span>`)}
      </div> `
    }${keys}
  </div> `;
}

/** A server that operations are called at, with the defaults of its variables in its address. */
type ListedServer = Pick<Server, "url"> &
  Partial<Server> & {
    /** Its address with the names of its variables. */
    readonly template?: string;
  };

/** Lists the servers, the running service first, which may be one of them. */
export function listServers(
  { contract }: RenderContext,
  service: string | undefined,
): readonly ListedServer[] {
  const servers = contract.servers.map((server) => ({
    ...server,
    template: server.url,
    url: toServerUrl(server),
  }));
  if (service === undefined) return servers;
  // Pages one level below the service have the address of its server, `/v1`, relative to themselves.
  const known = servers.find(({ url }) => url === service || `..${url}` === service);
  const own = known ?? { name: "This service" };
  return [{ ...own, url: service }, ...servers.filter((server) => server !== known)];
}

function isDescribed({ description, variables = [] }: ListedServer): boolean {
  return description !== undefined || variables.length > 0;
}

function renderServers(servers: readonly ListedServer[]): Html {
  return html`<section class="part" id="${SERVERS_ID}">
    <h2>Servers</h2>
    <ul class="members">
      ${servers.map(
        ({ url, template, name, description, variables = [] }) =>
          html`<li>
            <p class="line">
              <code class="name" data-address="${url}">${url}</code>${name !== undefined && html` ${name}`}
            </p>
            ${renderMarkdown(description, { below: 3 })}${
              variables.length > 0 &&
              html`<p class="note">From <code>${template !== undefined && renderPath(template)}</code></p>
              <ul class="members">
                ${variables.map(renderVariable)}
              </ul> `
            }
          </li> `,
      )}
    </ul>
  </section> `;
}

function renderVariable({
  name,
  enum: values,
  default: usual,
  description,
}: Server["variables"][number]): Html {
  return html`<li>
    <p class="line">
      <code class="name">${name}</code>${usual !== undefined && html` <span class="limits">default <code>${usual}</code></span>`}
    </p>
    ${values.length > 0 && html`<p class="values">One of ${values.map((value) => html`<code>${value}</code> `)}</p> `}${renderMarkdown(description, { below: 4 })}
  </li> `;
}
