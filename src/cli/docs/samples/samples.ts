import { getByPointer, getValue, isNode, toArray, toText } from "tenon/core/document";
import { type Contract, type Example, type Operation, toServerUrl } from "tenon/core/model";
import { toCallMembers, toSecuritySchemes } from "../../generate/client.js";
import { remember } from "../remember.js";
import { markAddress } from "./page-addresses.js";
import { type ClientSampleOptions, toClient } from "./write-client.js";
import { toCurl } from "./write-curl.js";
import { toFetch } from "./write-fetch.js";
import { toGo } from "./write-go.js";
import { toPython } from "./write-python.js";
import { buildRequests, type SampleRequest } from "./sample-request.js";
import { createSampleValues } from "./sample-values.js";

export interface SampleOptions {
  /** Address of the running service, relative to the page's (`/v1`) or whole. Default: the contract's first server. */
  readonly service?: string | undefined;
  /** Module of the generated client, as code of the project imports it; false where there is none. */
  readonly client?: string | false | undefined;
  /** The client has its calls in groups, by the first tags of operations. Default: false. */
  readonly groupByTag?: boolean | undefined;
}

/** Module of a project that `tenon init` created. */
const CLIENT = "./generated/v1/client.js";

/** A sample of code. */
export interface CodeSample {
  /** `shell`. */
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/** Samples of one call, in each language. */
export interface SampleSet {
  /** The author's example that is the body of all of them. */
  readonly example: Example | undefined;
  readonly samples: readonly CodeSample[];
}

/**
 * Creates the function that writes samples of code for an operation of a contract, with addresses that the page completes: a set for each
 * example of the body, or else one with those of the author, `x-codeSamples`, first. An operation that cannot be called has the
 * author's only.
 */
export function createSamples(
  contract: Contract,
  { service, client = CLIENT, groupByTag = false }: SampleOptions,
): (operation: Operation) => readonly SampleSet[] {
  // A document of another version has no operations that could be called.
  if (!contract.openapi.startsWith("3.")) return () => [];
  const source = {
    values: createSampleValues({ registry: contract.registry, side: "request" }),
    schemes: toSecuritySchemes(contract),
  };
  const [first] = Object.keys(source.schemes);
  const clientOptions =
    client === false
      ? undefined
      : { client, firstScheme: first, members: toCallMembers(contract, groupByTag) };
  // The page and its Markdown have the same ones.
  return remember((operation: Operation): readonly SampleSet[] => {
    const [server] = [operation.servers, operation.pathItem.servers].flat();
    const url = server ? toServerUrl(server) : (service ?? contract.servers.map(toServerUrl)[0] ?? "/");
    const sets = buildRequests(operation, source).map((request) => ({
      example: request.example,
      samples: writeSamples(request, markAddress(url), clientOptions),
    }));
    const given = readGiven(operation, contract);
    if (given.length === 0) return sets;
    const own = sets[0]?.samples.filter((sample) => !hasSample(given, sample)) ?? [];
    return [{ example: undefined, samples: [...given, ...own] }];
  });
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
    { lang: "python", label: "Python", source: toPython(request, address) },
    { lang: "go", label: "Go", source: toGo(request, address) },
  ];
  return sources.flatMap(({ source, ...sample }) => (source === undefined ? [] : [{ ...sample, source }]));
}

/** Reads the author's samples. */
function readGiven({ pointer }: Operation, { registry }: Contract): readonly CodeSample[] {
  const node = getByPointer(registry.document, pointer);
  return toArray(getValue(node, "x-codeSamples") ?? getValue(node, "x-code-samples")).flatMap((sample) => {
    if (!isNode(sample)) return [];
    const { lang, label = lang, source } = sample;
    if (typeof lang !== "string" || typeof source !== "string") return [];
    return [{ lang: lang.toLowerCase(), label: toText(label) ?? lang, source }];
  });
}

/** Tests whether there is a sample of the same kind, by its label or its language. */
function hasSample(samples: readonly CodeSample[], { lang, label }: CodeSample): boolean {
  const names = samples.flatMap((sample) => [sample.lang, sample.label.toLowerCase()]);
  return names.includes(lang) || names.includes(label.toLowerCase());
}
