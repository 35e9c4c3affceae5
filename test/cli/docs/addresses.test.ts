import { describe, expect, test } from "@jest/globals";
import { renderPages, renderPart } from "./rendered.js";
import { readSamples } from "./samples/run-samples.js";
import { decodeEntities } from "../../support/html-text.js";

const PAGE = "http://127.0.0.1:3000/team/docs/?a#operation/b";
const FOLDER = "file:///home/me/docs/index.html";

/** The address in the samples of a page, also where its script does not run. */
function resolve(urls: readonly string[], page: string, service?: string): string | undefined {
  const contract = {
    servers: urls.map((url) => ({ url })),
    paths: { "/pets": { get: { operationId: "list", responses: {} } } },
  };
  const [curl] = readSamples([renderPart(contract, "operation/list", { service })], page);
  return /'(.*)\/pets'/.exec(curl?.source ?? "")?.[1];
}

describe("addresses of samples", () => {
  test.each([
    ["a whole one", ["https://a.example/v1/"], PAGE, undefined, "https://a.example/v1"],
    ["one of the page's host", ["/v1"], PAGE, undefined, "http://127.0.0.1:3000/v1"],
    ["one beside the page", ["../v1"], PAGE, undefined, "http://127.0.0.1:3000/team/v1"],
    ["the service first", ["https://a.example"], PAGE, "/v1", "http://127.0.0.1:3000/v1"],
    ["in a folder, the first whole one", ["/v1", "https://a.example"], FOLDER, "/v1", "https://a.example"],
    ["in a folder, one that nobody has", ["/v1"], FOLDER, undefined, "https://service.example/v1"],
    ["without servers, the page's host", [], PAGE, undefined, "http://127.0.0.1:3000"],
    ["a template as it is", ["https://{host}/v1"], PAGE, undefined, "https://{host}/v1"],
    [
      "nothing that ends a quoted text",
      ["https://a.example/'$(rm)`x`\"\\${y"],
      PAGE,
      undefined,
      "https://a.example/%27%24(rm)%60x%60%22%5C%24{y",
    ],
    [
      "nothing that ends it, completed on the page",
      ["/'$(rm)`x`"],
      PAGE,
      undefined,
      "http://127.0.0.1:3000/%27%24(rm)%60x%60",
    ],
    ["no option of curl's", ["--config={x}"], PAGE, undefined, "https://service.example"],
    ["nothing but HTTP", ["javascript:alert(1)", "https://a.example"], PAGE, undefined, "https://a.example"],
  ])("are %s", (_, urls, page, service, address) => {
    expect(resolve(urls, page, service)).toBe(address);
  });
});

describe("servers", () => {
  const read = (document: object, service?: string) => {
    const part = renderPart(document, "section/Servers", { service });
    return [...part.matchAll(/data-address="([^"]*)"/g)].map(([, url = ""]) => decodeEntities(url));
  };

  test("the service is shown first, once, as its author describes it, else as this one", () => {
    const servers = [
      { url: "https://a.example" },
      { url: "/{v}", description: "Own", variables: { v: { default: "v1" } } },
    ];
    expect(read({ servers }, "/v1")).toEqual(["/v1", "https://a.example"]);
    expect(renderPart({ servers }, "section/Servers", { service: "/v1" })).not.toContain("This service");
    expect(read({ servers: [{ url: "https://a.example" }] }, "/v1")).toEqual(["/v1", "https://a.example"]);
    const others = { servers: [{ url: "https://a.example" }] };
    expect(renderPart(others, "section/Servers", { service: "/v1" })).toContain("This service");
  });

  test("a single address, which says no more, stands beside the introduction only", () => {
    const toPage = (document: object, service?: string) => renderPages(document, { service })["index.html"];
    expect(toPage({ servers: [{ url: "https://a.example" }] })).not.toContain("section/Servers");
    expect(toPage({ servers: [{ url: "/v1" }] }, "../v1")).not.toContain("section/Servers");
    expect(toPage({ servers: [{ url: "/v1", description: "Own" }] }, "../v1")).toContain("section/Servers");
  });

  test("an address has its variables' defaults in their place", () => {
    const variables = { base_url: { default: "https://a.example" } };
    expect(read({ servers: [{ url: "{base_url}/v1", variables }, { url: "{unknown}{toString}" }] })).toEqual([
      "https://a.example/v1",
      "{unknown}{toString}",
    ]);
  });
});
