import type { OAuthFlow, SecurityScheme, Server } from "tenon/core/model";
import type { RenderContext } from "../render/context.js";
import {
  describeContract,
  type IntroductionOptions,
  listLinks,
  listServers,
  readLicense,
  readSummary,
} from "../render/introduction.js";
import { describeCredential, describeFlow, listScopes } from "../render/security.js";
import { joinBlocks, toHeading, toItem, toLink, toSpan, writePhrase, writeText } from "./blocks.js";
import { writeList } from "./write-content.js";

/** Writes what comes before the operations: the contract's description, its servers and how callers authenticate. */
export function writeIntroduction(
  context: RenderContext,
  { service, hasChangelog }: IntroductionOptions,
): string {
  const { contract } = context;
  const { text, href } = readLicense(context) ?? {};
  const license = text === undefined ? "" : ` · licence ${href === undefined ? text : toLink(text, href)}`;
  return joinBlocks(
    toHeading(1, `${contract.title} ${contract.version}`),
    `OpenAPI ${contract.openapi}${license}`,
    readSummary(context),
    listLinks(context, hasChangelog)
      .flatMap((link) => toItem(toLink(link.text, link.href)))
      .join("\n"),
    writeText(describeContract(contract), 1),
    writeList(toHeading(2, "Servers"), listServers(context, service).flatMap(writeServer)),
    writeList(
      toHeading(2, "Security schemes"),
      contract.securitySchemes.flatMap((scheme) => writeScheme(scheme, context)),
    ),
  );
}

function writeServer({
  url,
  template,
  name,
  description,
  variables = [],
}: ReturnType<typeof listServers>[number]): readonly string[] {
  const from = template === undefined || variables.length === 0 ? "" : `, from ${toSpan(template)}`;
  const line = `${toSpan(url)}${from}${name === undefined ? "" : ` (${name})`}`;
  return toItem(line, writeText(description, 3), variables.flatMap(writeVariable));
}

function writeVariable({
  name,
  enum: values,
  default: usual,
  description,
}: Server["variables"][number]): readonly string[] {
  const facts = [
    ...(usual === undefined ? [] : [`default ${toSpan(usual)}`]),
    ...(values.length === 0 ? [] : [`one of ${values.map(toSpan).join(" ")}`]),
  ];
  const line = `${toSpan(name)}${facts.length === 0 ? "" : ` (${facts.join(", ")})`}`;
  return toItem(line, writeText(description, 4));
}

function writeScheme(scheme: SecurityScheme, context: RenderContext): readonly string[] {
  const { name, description, credential, flows, openIdConnectUrl, oauth2MetadataUrl, deprecated } = scheme;
  const facts = [writePhrase(describeCredential(credential)), ...(deprecated ? ["deprecated"] : [])];
  const urls = [openIdConnectUrl, oauth2MetadataUrl].filter((url) => url !== undefined);
  return toItem(`${toSpan(name)} (${facts.join(", ")})`, writeText(description, 3), [
    ...urls.flatMap((url) => toItem(`Configuration: ${toSpan(url)}`)),
    ...flows.flatMap((flow) => writeFlow(flow, context)),
  ]);
}

function writeFlow(flow: OAuthFlow, { document }: RenderContext): readonly string[] {
  const scopes = listScopes(flow, document).flatMap(({ scope, meaning }) => toItem(toSpan(scope), meaning));
  return toItem(
    `${flow.name}${writePhrase(describeFlow(flow))}${scopes.length > 0 ? "; scopes:" : ""}`,
    "",
    scopes,
  );
}
