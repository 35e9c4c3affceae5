import { toNode, toText } from "tenon/core/document";
import { type Contract, type Operation, toServerUrl } from "tenon/core/model";
import { toSecuritySchemes } from "../../generate/client.js";
import { markAddress } from "./page-addresses.js";
import { type ClientSampleOptions, toClient } from "./write-client.js";
import { toCurl } from "./write-curl.js";
import { toFetch } from "./write-fetch.js";
import { buildRequest, type SampleRequest } from "./sample-request.js";
import { createSampleValues } from "./sample-values.js";

export interface SampleOptions {
  /**
   * Address of the running service, relative to the page's (`/v1`) or whole. Default: the contract's first server.
   */
  readonly service?: string | undefined;
  /** Module of the generated client, as code of the project imports it; false where there is none. */
  readonly client?: string | false | undefined;
}

/** Where `tenon init` has it. */
const CLIENT = "./generated/v1/client.js";

/** A sample of code, as Redoc shows it. */
export interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/**
 * Writes samples of code for the operations of a contract, with addresses that `resolveAddresses` completes on the page. An operation
 * that cannot be called has none.
 */
export function createSamples(
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
      return [operation, request ? writeSamples(request, markAddress(url), clientOptions) : []];
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

/** Whether there is one of the same kind, by its label or its language. */
export function hasSample(samples: readonly unknown[], { lang, label }: CodeSample): boolean {
  const names = samples.map(toNode).flatMap((sample) => [sample["lang"], sample["label"]]);
  return names.some((name) => [lang, label].includes(toText(name)?.toLowerCase() ?? ""));
}
