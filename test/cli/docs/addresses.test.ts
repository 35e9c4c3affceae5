import { describe, expect, test } from "@jest/globals";
import { markAddress, resolveAddresses } from "../../../src/cli/docs/samples/page-addresses.js";
import { annotate } from "../../../src/cli/docs/annotate/annotate.js";
import { buildContract } from "../../../src/tenon/core/model/index.js";

const PAGE = "http://127.0.0.1:3000/team/docs/?a#operation/b";
const FOLDER = "file:///home/me/docs/index.html";

function withService<Document extends object>(document: Document, service: string | undefined): Document {
  const node = document as Readonly<Record<string, unknown>>;
  return annotate(node, buildContract(node), { service }).at(0) as Document;
}

/** The servers that a page shows, and the address in its samples. */
function resolve(urls: readonly string[], page: string, service?: string) {
  const servers = urls.map((url) => ({ url }));
  const source = `curl '${markAddress(service ?? urls[0] ?? "/")}/pets'`;
  const paths = { "/pets": { get: { "x-codeSamples": [{ source }, "own"], summary: "Pets" } } };
  const shown = resolveAddresses(withService({ servers, paths }, service), page);
  const [sample] = shown.paths["/pets"].get["x-codeSamples"] as readonly { source: string }[];
  return [shown.servers.map(({ url }) => url), sample?.source.slice("curl '".length, -"/pets'".length)];
}

describe("addresses of samples", () => {
  test.each([
    [
      "a whole one",
      ["https://a.example/v1/"],
      PAGE,
      undefined,
      ["https://a.example/v1"],
      "https://a.example/v1",
    ],
    [
      "one of the page's host",
      ["/v1"],
      PAGE,
      undefined,
      ["http://127.0.0.1:3000/v1"],
      "http://127.0.0.1:3000/v1",
    ],
    [
      "one beside the page",
      ["../v1"],
      PAGE,
      undefined,
      ["http://127.0.0.1:3000/team/v1"],
      "http://127.0.0.1:3000/team/v1",
    ],
    [
      "the service first",
      ["https://a.example"],
      PAGE,
      "/v1",
      ["http://127.0.0.1:3000/v1", "https://a.example"],
      "http://127.0.0.1:3000/v1",
    ],
    [
      "in a folder, the first whole one",
      ["/v1", "https://a.example"],
      FOLDER,
      "/v1",
      ["https://a.example"],
      "https://a.example",
    ],
    [
      "in a folder, one that nobody has",
      ["/v1"],
      FOLDER,
      undefined,
      ["https://service.example/v1"],
      "https://service.example/v1",
    ],
    ["without servers, the page's host", [], PAGE, undefined, [], "http://127.0.0.1:3000"],
    [
      "a template as it is",
      ["https://{host}/v1"],
      PAGE,
      undefined,
      ["https://{host}/v1"],
      "https://{host}/v1",
    ],
    [
      "nothing that ends a quoted text",
      ["https://a.example/'$(rm)`x`\"\\${y"],
      PAGE,
      undefined,
      expect.anything(),
      "https://a.example/%27%24(rm)%60x%60%22%5C%24{y",
    ],
    ["no option of curl's", ["--config={x}"], PAGE, undefined, ["--config={x}"], "https://service.example"],
    [
      "nothing but HTTP",
      ["javascript:alert(1)", "https://a.example"],
      PAGE,
      undefined,
      ["https://a.example"],
      "https://a.example",
    ],
  ])("are %s", (_, urls, page, service, servers, address) => {
    expect(resolve(urls, page, service)).toEqual([servers, address]);
  });

  test("the service is shown once, as its author describes it, else as this one", () => {
    const contract = {
      servers: [
        { url: "https://a.example" },
        { url: "/{v}", description: "Own", variables: { v: { default: "v1" } } },
      ],
    };
    expect(withService(contract, "/v1").servers.map(({ url }) => url)).toEqual(["/v1", "https://a.example"]);
    expect(withService({}, "/v1")).toEqual({ servers: [{ url: "/v1", description: "This service" }] });
    expect(withService({ servers: [] }, undefined)).toEqual({ servers: [] });
  });
});
