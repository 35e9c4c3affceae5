import { buildModel } from "tenon/core/legacy/build-model";
import { isNode, type Node, toArray, toText } from "tenon/core/legacy/document";
import { getOwn } from "tenon/core/document/pointer";
import { toSecuritySchemes } from "../../generate/security-schemes.js";
import { buildTarget } from "../../verify/build-target.js";
import { follow } from "../follow.js";
import { toServerUrl } from "../servers.js";
import { markAddress } from "./address.js";
import { toClient } from "./client.js";
import { toCurl } from "./curl.js";
import { toFetch } from "./fetch.js";
import { buildRequest, type SampleRequest } from "./request.js";
import { createSampleValues } from "./values.js";

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

/** A sample as Redoc shows it. */
interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/**
 * A contract whose operations have samples of code beside those of their author: `x-codeSamples`, with addresses that
 * `resolveAddresses` makes whole on the page. What is no OpenAPI 3 has none.
 */
export function addSamples<Contract extends object>(
  contract: Contract,
  options: SampleOptions = {},
): Contract {
  const document = contract as Node;
  const { paths } = document;
  if (toText(document["openapi"])?.startsWith("3.") !== true || !isNode(paths)) return contract;
  const requests = buildRequests(document);
  const [firstScheme] = Object.keys(toSecuritySchemes(document));
  const { service, client = CLIENT } = options;

  const toSamples = (request: SampleRequest, address: string): readonly CodeSample[] => {
    const sources = [
      { lang: "shell", label: "curl", source: toCurl(request, address) },
      { lang: "javascript", label: "fetch", source: toFetch(request, address) },
      {
        lang: "typescript",
        label: "client",
        source: client === false ? undefined : toClient(request, address, { client, firstScheme }),
      },
    ];
    return sources.flatMap(({ source, ...sample }) => (source === undefined ? [] : [{ ...sample, source }]));
  };
  const withSamples = (operation: Node, { item, request }: { item: Node; request: SampleRequest }): Node => {
    const authors = toArray(operation["x-codeSamples"] ?? operation["x-code-samples"]);
    const url = findServer(operation) ?? findServer(item) ?? service ?? findServer(document) ?? "/";
    const own = toSamples(request, markAddress(url)).filter((sample) => !hasSample(authors, sample));
    return { ...operation, "x-codeSamples": [...authors, ...own] };
  };

  const shown = Object.entries(paths).map(([path, given]) => {
    // A path item that is a reference becomes what it refers to: nothing can be beside it.
    const item = follow(given, document);
    if (item === undefined) return [path, given] as const;
    const members = Object.entries(item).map(([method, operation]) => {
      const request = requests.get(`${method} ${path}`);
      return [method, request && isNode(operation) ? withSamples(operation, { item, request }) : operation];
    });
    return [path, Object.fromEntries(members)] as const;
  });
  return { ...contract, paths: Object.fromEntries(shown) };
}

/** Whether there is one of the same kind, by its label or its language. */
function hasSample(samples: readonly unknown[], { lang, label }: CodeSample): boolean {
  const names = samples.flatMap((sample) => (isNode(sample) ? [sample["lang"], sample["label"]] : []));
  return names.some((name) => [lang, label].includes(toText(name)?.toLowerCase() ?? ""));
}

/** By method and path. */
function buildRequests(document: Node): ReadonlyMap<string, SampleRequest> {
  // What is wrong with a contract is for others to tell: what can be made of it has samples.
  const model = buildModel({ document, report: () => undefined });
  const target = buildTarget(document, model);
  const source = { values: createSampleValues(target.requests), schemes: toSecuritySchemes(document) };
  const models = new Map(model.operations.map((one) => [`${one.method} ${one.path}`, one]));
  return new Map(
    target.operations.flatMap((operation) => {
      const key = `${operation.method} ${operation.path}`;
      const own = models.get(key);
      const request = own && buildRequest(operation, own, source);
      return request === undefined ? [] : [[key, request] as const];
    }),
  );
}

/** Of the first server. */
function findServer(owner: Node): string | undefined {
  const [first] = toArray(getOwn(owner, "servers"));
  return isNode(first) ? toServerUrl(first) : undefined;
}
