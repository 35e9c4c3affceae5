import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { createSites } from "../../../src/cli/docs/index.js";
import { GROUNDS } from "../../../src/cli/project/accent.js";
import { loadApis, loadNamedApis } from "../../../src/cli/project/index.js";
import { ContractError } from "../../../src/tenon/core/document/contract-error.js";
import { createProject, REDOCLY, toContract } from "../load/project.js";

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>';

function createBranded(docs: string, info = "") {
  return createProject({
    "redocly.yaml": REDOCLY.replace("generated", `generated, docs: ${docs}`),
    "openapi.yaml": toContract("paths: {}\n").replace("  version", `${info}  version`),
    "art/logo.svg": SVG,
    "art/icon.svg": SVG,
  });
}

async function build(docs: string, info = "") {
  const folder = createBranded(docs, info);
  const { files } = await createSites(await loadNamedApis(folder), { cwd: folder, now: 0 });
  return { read: (name: string) => files.get(name)?.text ?? "", names: [...files.keys()] };
}

async function findProblem(docs: string): Promise<string> {
  const error: unknown = await loadApis(createBranded(docs)).catch((thrown: unknown) => thrown);
  if (!(error instanceof ContractError)) throw new Error(`${docs} has no problem`);
  return error.problems.map(({ code, message, hint = "" }) => `${code} ${message} ${hint}`.trim()).join("\n");
}

describe("the brand of a site", () => {
  test("is by default the first letter of its title", async () => {
    const { read } = await build("{}");
    expect(read("index.html")).toContain('<link rel="icon" href="favicon.svg">');
    expect(read("favicon.svg")).toContain(">T</text>");
    expect(read("index.html")).not.toContain("<img");
  });

  test("has a logo, an icon, an accent and links of redocly.yaml", async () => {
    const docs =
      '{ logo: art/logo.svg, favicon: art/icon.svg, accent: "#0b6e4f", links: { Status: https://a.example } }';
    const { read, names } = await build(docs, "  x-logo: { url: art/icon.svg }\n");
    const page = read("index.html");
    expect(page).toContain('<link rel="icon" href="files/icon.svg">');
    expect(page).toContain('<img src="files/logo.svg" alt="">');
    expect(page.match(/<a href="https:\/\/a\.example">Status<\/a>/g)).toHaveLength(2);
    expect(read("files/logo.svg")).toBe(SVG);
    expect(names).not.toContain("favicon.svg");
    const [, dark = ""] = /--link: light-dark\(#0b6e4f, (#[\da-f]{6})\);\n\}\n$/.exec(read("docs.css")) ?? [];
    expect(dark).not.toBe("#0b6e4f");
    // The derived colour passes the same check.
    await build(`{ accent: { light: "#0b6e4f", dark: "${dark}" } }`);
  });

  test.each([
    ["{ url: art/logo.svg, altText: We }", '<img src="files/logo.svg" alt="We">'],
    ['{ url: "data:image/svg+xml,%3Csvg/%3E" }', '<img src="data:image/svg+xml,%3Csvg/%3E" alt="">'],
  ])("has the logo of the contract: %s", async (logo, image) => {
    const { read } = await build("{}", `  x-logo: ${logo}\n`);
    expect(read("index.html")).toContain(image);
  });

  test.each(["https://a.example/logo.svg", "../../etc/hostname", "javascript:alert(1)", "none.svg"])(
    "has no logo that is elsewhere: %s",
    async (url) => {
      const { read } = await build("{}", `  x-logo: { url: "${url}" }\n`);
      expect(read("index.html")).not.toContain("<img");
    },
  );

  test("is checked", async () => {
    expect(await findProblem('{ accent: "#8ab4f8" }')).toBe(
      "api-docs x-tenon.docs.accent: #8ab4f8 on the light theme's ground has a contrast of 2.0; text needs 4.5",
    );
    expect(await findProblem('{ accent: { light: "#0b6e4f", dark: "#0b6e4f" } }')).toContain(
      "on the dark theme",
    );
    expect(await findProblem("{ accent: green }")).toContain("must be a colour");
    expect(await findProblem("{ logo: none.svg }")).toContain('there is no file "none.svg"');
    expect(await findProblem("{ url: docs.example.com }")).toContain("x-tenon.docs.url must be");
    expect(await findProblem("{ links: { A: javascript:alert(1) } }")).toContain(
      "x-tenon.docs.links must be",
    );
    expect(await findProblem("{ logos: a.svg }")).toBe(
      'config-unknown x-tenon.docs has an unknown member "logos" Did you mean logo?',
    );
  });

  test("is measured on the grounds of the palette", () => {
    const palette = readFileSync(
      new URL("../../../src/cli/docs/assets/styles/palette.css", import.meta.url),
      "utf8",
    );
    for (const [index, name] of ["ground", "raised"].entries())
      expect(palette).toContain(`--${name}: light-dark(${GROUNDS.light[index]}, ${GROUNDS.dark[index]});`);
    expect(palette).toContain("--chosen: color-mix(in srgb, var(--link) 10%, var(--ground));");
  });
});

describe("metadata", () => {
  const INFO = '  description: "Keeps *pets* & \\"more\\"."\n';

  test("describe each page", async () => {
    const { read, names } = await build("{}", INFO);
    expect(read("index.html")).toContain(
      '<meta name="description" content="Keeps pets &amp; &quot;more&quot;.">',
    );
    expect(read("index.html")).not.toMatch(/canonical|og:/);
    expect(names).not.toContain("sitemap.xml");
  });

  test("name the address of each page where the site is published", async () => {
    const { read } = await build("{ url: https://docs.example.com/pets }", INFO);
    const page = read("index.html");
    expect(page).toContain('<link rel="canonical" href="https://docs.example.com/pets/">');
    expect(page).toContain('<meta property="og:title" content="Test 1.0.0">');
    expect(page).toContain('<meta property="og:description" content="Keeps pets &amp; &quot;more&quot;.">');
    expect(read("sitemap.xml")).toContain("<url><loc>https://docs.example.com/pets/</loc></url>");
  });
});
