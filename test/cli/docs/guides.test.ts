import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { createSites, type DocsFile } from "../../../src/cli/docs/index.js";
import { loadNamedApis } from "../../../src/cli/project/index.js";
import { ContractError } from "../../../src/tenon/core/document/contract-error.js";
import { createDirectory } from "../../support/directory.js";
import { createProject, toContract } from "../load/project.js";
import { readTexts, renderPages } from "./rendered.js";

const OPERATION =
  "get: { operationId: listPets, summary: List pets, tags: [pets], responses: { 204: { description: Done. } } }";

const CONTRACT = toContract(`tags: [{ name: pets }]\npaths: { /pets: { ${OPERATION} } }\n`);

const toConfig = (docs: string) =>
  `apis:\n  v1:\n    root: openapi.yaml\n    x-tenon:\n      output: generated\n      docs: ${docs}\n`;

const PIXEL = Buffer.from("89504e470d0a1a0a00ff", "hex").toString("latin1");

async function build(folder: string) {
  const { files, contractFiles } = await createSites(await loadNamedApis(folder), { cwd: folder, now: 0 });
  const read = (name: string): DocsFile => {
    const file = files.get(name);
    if (file === undefined) throw new Error(`The site has no ${name}, only ${[...files.keys()].join(", ")}`);
    return file;
  };
  return { files, read, sources: contractFiles.map((path) => relative(folder, path)) };
}

/** Problems as `file:line:column code message`. */
async function findProblems(folder: string): Promise<readonly string[]> {
  const error: unknown = await build(folder).catch((thrown: unknown) => thrown);
  if (!(error instanceof ContractError)) throw new Error("The site was built");
  return error.problems.map(
    ({ file, line, column, code, message }) =>
      `${relative(folder, file)}:${line}:${column} ${code} ${message}`,
  );
}

const createGuides = (
  guides: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>> = {},
) =>
  createProject({
    "redocly.yaml": toConfig(`{ guides: [${Object.keys(guides).join(", ")}] }`),
    "openapi.yaml": CONTRACT,
    ...guides,
    ...more,
  });

describe("guides", () => {
  test("are pages with the menu, and are in search, twins and llms.txt", async () => {
    const folder = createGuides({
      "guides/start.md": "# Getting started\n\nTake a *leash*.\n\n## First call\n\nIt rhymes with orange.\n",
      "guides/errors.md": "# Errors\n\nThey happen.\n",
    });
    const { read, sources } = await build(folder);
    const page = read("start.html").text;
    expect(page).toMatch(/<h1 id="guide\/start\/getting-started">Getting started<\/h1>/);
    expect(page).toContain("<title>Getting started · Test 1.0.0</title>");
    expect(page).toMatch(/<a href="start\.html" aria-current="page">Getting started<\/a>/);
    expect(page).toContain('<a href="#guide/start/first-call">First call</a>');
    expect(page).toContain('<a href="errors.html">Errors</a>');
    expect(page).toContain('href="index.html#operation/listPets"');
    expect(read("index.html").text).toContain('<a href="start.html">Getting started</a>');
    const entries = JSON.parse(
      read("search.js")
        .text.replace(/^[^[]*/, "")
        .replace(/;\n$/, ""),
    ) as string[][];
    expect(entries.find(([title]) => title === "Getting started")?.slice(1, 3)).toEqual([
      "start.html",
      "Guide",
    ]);
    expect(entries.find(([, , , words]) => words?.includes("leash"))?.[0]).toBe("Getting started");
    const [title, href, label] = entries.find(([, , , words]) => words?.includes("orange")) ?? [];
    expect([title, href, label]).toEqual([
      "First call",
      "start.html#guide/start/first-call",
      "Getting started",
    ]);
    expect(read("start.md").text).toContain("# Getting started\n\nTake a *leash*.");
    expect(read("llms.txt").text).toContain(
      "## Guides\n\n- [Getting started](start.md)\n- [Errors](errors.md)\n",
    );
    expect(read("llms-full.txt").text).toContain("It rhymes with orange.");
    expect(sources).toEqual(["openapi.yaml", "guides/start.md", "guides/errors.md"]);
  });

  test("have a heading in the menu, which a changelog alone has not", async () => {
    const changelog = { title: "Pets", versions: [], unreadable: [] };
    const { "index.html": alone = "" } = renderPages({}, { changelog });
    expect(alone).toContain('<a href="changelog.html">Changelog</a>');
    expect(readTexts(alone, "around")).toEqual([]);
    const { read } = await build(createGuides({ "start.md": "# Start\n" }));
    expect(readTexts(read("index.html").text, "around")).toEqual(["Guides", "Reference"]);
  });

  test("link to headings, guides, operations, parts of the reference, files and other hosts", async () => {
    const links = [
      ...["[1](#list-pets)", "[2](more/errors.md)", "[3](more/errors.md#rate-limits)", "[4](#listPets)"],
      ...["[5](#operation/listPets)", "[6](#tag/pets)", "[7](data.csv)", "[8](https://a.example/b)"],
      ...["[9](openapi.json)", "[10](mailto:a@b.example)", "[11](/elsewhere)"],
    ];
    const folder = createGuides(
      {
        "guides/start.md": `# Start\n\n## List pets\n\n${links.join("\n")}\n`,
        "guides/more/errors.md": "# Errors\n\n[back](../start.md)\n\n## Rate limits\n",
      },
      { "guides/data.csv": "a,b\n" },
    );
    const { read } = await build(folder);
    const hrefs = [...read("start.html").text.matchAll(/<a href="([^"]*)">\d+<\/a>/g)].map(
      ([, href]) => href,
    );
    expect(hrefs).toEqual([
      ...["#guide/start/list-pets", "errors.html", "errors.html#guide/errors/rate-limits"],
      ...["index.html#operation/listPets", "index.html#operation/listPets", "index.html#tag/pets"],
      ...["files/data.csv", "https://a.example/b", "openapi.json", "mailto:a@b.example", "/elsewhere"],
    ]);
    expect(read("errors.html").text).toContain('<a href="start.html">back</a>');
    expect(read("files/data.csv")).toMatchObject({ mediaType: "text/csv; charset=utf-8", text: "a,b\n" });
    const twin = read("start.md").text;
    for (const link of ["[2](errors.md)", "[4](index.md#operation/listPets)", "[7](files/data.csv)"])
      expect(twin).toContain(link);
  });

  test("have their pictures as files of the site, byte for byte; those of other hosts become links", async () => {
    const folder = createGuides({
      "guides/start.md": "# A\n\n![Map](img/a.png)\n![Other](https://a.example/b.png)\n",
    });
    const image = join(folder, "guides/img");
    mkdirSync(image);
    writeFileSync(join(image, "a.png"), PIXEL, "latin1");
    const { read, sources } = await build(folder);
    const page = read("start.html").text;
    expect(page).toContain('<img src="files/a.png" alt="Map">');
    expect(page).toContain('<a href="https://a.example/b.png">Other</a>');
    expect(read("files/a.png")).toMatchObject({ mediaType: "image/png", text: PIXEL, encoding: "latin1" });
    expect(sources).toContain("guides/img/a.png");
  });

  test("with dead links are problems with their places", async () => {
    const folder = createGuides(
      {
        "a.md":
          "# A\n\nA [one](#nowhere) and\n[two](b.md#gone), ![three](no.png).\n\n- [four](c.md)\n- [five][x]\n\n[x]: #operation/none\n",
        "b.md": "# B\n",
      },
      { "c.md": "# C\n" },
    );
    expect(await findProblems(folder)).toEqual([
      'a.md:3:3 guide-link "#nowhere" leads to nothing',
      'a.md:4:1 guide-link "b.md#gone" leads to nothing',
      'a.md:4:19 guide-link "no.png" leads to nothing',
      'a.md:6:3 guide-link "c.md" leads to nothing',
      'a.md:7:3 guide-link "#operation/none" leads to nothing',
    ]);
  });

  test("are inside the project, and so is what they link to", async () => {
    const outside = createDirectory();
    writeFileSync(join(outside, "secret.md"), "# Secret\n");
    writeFileSync(join(outside, "secret.txt"), "secret");
    const listed = createProject({
      "redocly.yaml": toConfig(`{ guides: [linked.md, ${join(outside, "secret.md")}, none.md] }`),
      "openapi.yaml": CONTRACT,
    });
    symlinkSync(join(outside, "secret.md"), join(listed, "linked.md"));
    expect((await findProblems(listed)).map((text) => text.replace(/ x-tenon.*/, ""))).toEqual([
      "redocly.yaml:6:24 api-docs",
      "redocly.yaml:6:35 api-docs",
      expect.stringMatching(/^redocly\.yaml:6:\d+ api-docs$/),
    ]);
    const linking = createGuides({
      "a.md": `# A\n\n[1](linked.txt) [2](${relative("/", outside)}/secret.txt) [3](../../etc/passwd)\n`,
    });
    symlinkSync(join(outside, "secret.txt"), join(linking, "linked.txt"));
    expect(await findProblems(linking)).toHaveLength(3);
  });

  test("keep their text from leaving it", async () => {
    const folder = createGuides(
      {
        "a.md":
          "# </title><script>x</script>\n\n<img src=x.png onerror=x> [x](javascript:alert(1))\n<script>globalThis.broken = 1</script>\n",
      },
      { "x.png": "" },
    );
    const { read } = await build(folder);
    expect(read("a.html").text).not.toMatch(/<script>|onerror|javascript:/);
  });
});
