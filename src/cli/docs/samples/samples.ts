import { getByPointer, type Node, toArray, toNode } from "tenon/core/document";
import { type Contract, type Operation, toServerUrl } from "tenon/core/model";
import { toSecuritySchemes } from "../../generate/client.js";
import { markAddress } from "./page-addresses.js";
import { type ClientSampleOptions, toClient } from "./write-client.js";
import { toCurl } from "./write-curl.js";
import { toFetch } from "./write-fetch.js";
import { buildRequest, type SampleRequest } from "./sample-request.js";
import { createSampleValues } from "./sample-values.js";

export interface SampleOptions {
  /** Address of the running service, relative to the page's (`/v1`) or whole. Default: the contract's first server. */
  readonly service?: string | undefined;
  /** Module of the generated client, as code of the project imports it; false where there is none. */
  readonly client?: string | false | undefined;
}

/** Module of a project that `tenon init` created. */
const CLIENT = "./generated/v1/client.js";

/** A sample of code. */
export interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/**
 * Writes samples of code for the operations of a contract, with marked addresses, after those of the author (`x-codeSamples`). An
 * operation that cannot be called has none.
 * @param document The document that the contract was built from.
 */
export function createSamples(
  document: Node,
  contract: Contract,
  { service, client = CLIENT }: SampleOptions,
): ReadonlyMap<Operation, readonly CodeSample[]> {
  // A document of another version has no operations that could be called.
  if (!contract.openapi.startsWith("3.")) return new Map();
  const source = {
    values: createSampleValues({ registry: contract.registry, side: "request" }),
    schemes: toSecuritySchemes(contract),
  };
  const [first] = Object.keys(source.schemes);
  const clientOptions = client === false ? undefined : { client, firstScheme: first };
  return new Map(
    contract.operations.map((operation) => {
      const request = buildRequest(operation, source);
      const [server] = [operation.servers, operation.pathItem.servers].flat();
      const url = server ? toServerUrl(server) : (service ?? contract.servers.map(toServerUrl)[0] ?? "/");
      const given = listGiven(document, operation);
      const written = request ? writeSamples(request, markAddress(url), clientOptions) : [];
      return [operation, [...given, ...written.filter((sample) => !hasSample(given, sample))]];
    }),
  );
}

function writeSamples(
  request: SampleRequest,
  address: string,
  client: ClientSampleOptions | undefined,
): readonly CodeSample[] {
  const sources = [
    { lang: "shell", label: "curl", source: toCurl(request, address) },
    { lang: "javascript", label: "fetch", source: toFetch(request, address) },
    { lang: "typescript", label: "client", source: client && toClient(request, address, client) },
  ];
  return sources.flatMap(({ source, ...sample }) => (source === undefined ? [] : [{ ...sample, source }]));
}

function listGiven(document: Node, { pointer }: Operation): readonly CodeSample[] {
  const node = toNode(getByPointer(document, pointer));
  return toArray(node["x-codeSamples"] ?? node["x-code-samples"]).flatMap((sample) => {
    const { lang = "text", label = lang, source } = toNode(sample);
    return typeof source === "string"
      ? [{ lang: String(lang).toLowerCase(), label: String(label), source }]
      : [];
  });
}

/** Tests whether there is a sample of the same kind, by its label or its language. */
function hasSample(samples: readonly CodeSample[], { lang, label }: CodeSample): boolean {
  return samples.some((sample) =>
    [sample.lang, sample.label].some((name) => [lang, label].includes(name.toLowerCase())),
  );
}
