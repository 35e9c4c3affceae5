import { execFileSync } from "node:child_process";
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { createProject } from "../../load/project.js";
import { renderPages } from "../rendered.js";
import { readSamples, type Sample } from "./run-samples.js";

/** Each would make a file, could it leave the text that it is in. */
const HOSTILE = [
  `'; touch broken; '`,
  `"; touch broken; "`,
  "$(touch broken)`touch broken`",
  `\${require("node:fs").writeFileSync("broken", "")}`,
  `"); require("node:fs").writeFileSync("broken", ""); ("`,
  "\\\n\u2028*/ touch broken",
];

const INFO = { title: "Hostile", version: "1" };

/** The samples of a contract whose every text is hostile. */
function makeSamples(hostile: string): readonly Sample[] {
  const string = { type: "string", example: hostile };
  const parameters = ["query", "path", "cookie"].map((place) => ({
    // A cookie of another name could not be sent.
    name: { path: "id", cookie: "session" }[place] ?? hostile,
    in: place,
    required: true,
    schema: string,
  }));
  const contract = {
    openapi: "3.1.0",
    info: INFO,
    servers: [{ url: `https://a.example/${hostile}` }],
    security: [{ [hostile]: [], header: [], cookie: [] }],
    paths: {
      "/a/{id}": {
        post: {
          operationId: "post",
          parameters,
          requestBody: {
            required: true,
            content: {
              "application/json": { schema: { properties: { [hostile]: string }, required: [hostile] } },
            },
          },
          responses: {},
        },
      },
    },
    components: {
      securitySchemes: {
        [hostile]: { type: "apiKey", in: "query", name: hostile },
        header: { type: "apiKey", in: "header", name: hostile },
        cookie: { type: "apiKey", in: "cookie", name: hostile },
      },
    },
  };
  return readSamples(Object.values(renderPages(contract)), "https://docs.example/");
}

describe("samples of a hostile contract", () => {
  test.each(HOSTILE)("%j does nothing but be sent", (hostile) => {
    // It stands for curl and for the client, and does nothing.
    const cwd = createProject({ "bin/curl": "#!/bin/sh\nexit 0\n", "package.json": '{"type":"module"}' });
    chmodSync(join(cwd, "bin/curl"), 0o755);
    const samples = makeSamples(hostile);
    expect(samples.map(({ label }) => label)).toEqual(["curl", "fetch", "client", "Python", "Go"]);
    const env = { PATH: `${join(cwd, "bin")}:${process.env["PATH"] ?? ""}` };
    const [shell, fetch = "", client = ""] = samples.map(({ source }) => source);
    execFileSync("sh", ["-c", shell ?? ""], { cwd, env });
    const prelude = "const require = process.getBuiltinModule('module').createRequire('/');";
    const stand = "globalThis.fetch = async () => new Response('');";
    const createClient = "const createClient = () => new Proxy({}, { get: () => async () => ({}) });";
    for (const source of [fetch, client]) {
      const code = [prelude, stand, createClient, source.replace(/^import .*/, "")].join("\n");
      execFileSync(process.execPath, ["--input-type=module", "-e", code], { cwd, env });
    }
    expect(existsSync(join(cwd, "broken"))).toBe(false);
  });

  test.each(["constructor", "__proto__", "toString"])("%s is a language like any other", (lang) => {
    const description = `\`\`\`${lang}\nfence of ${lang}\n\`\`\``;
    // U+E000 marks the addresses of Tenon's own samples.
    const sample = { lang, label: lang, source: `sample of ${lang} \u{E000}%zz\u{E000}` };
    const get = { description, responses: {}, "x-codeSamples": [sample] };
    const pages = Object.values(renderPages({ openapi: "3.1.0", info: INFO, paths: { "/": { get } } })).join(
      "",
    );
    expect(pages).toContain(`fence of ${lang}`);
    expect(pages).toContain(`sample of ${lang}`);
  });

  test("a file of a form has no curl command where its name or type would read another file", () => {
    const file = { type: "string", contentMediaType: "image/png" };
    const toLabels = (name: string, contentType: string) => {
      const schema = { type: "object", required: [name], properties: { [name]: file } };
      const content = { "multipart/form-data": { schema, encoding: { [name]: { contentType } } } };
      const post = { requestBody: { required: true, content }, responses: {} };
      const contract = { openapi: "3.1.0", info: INFO, paths: { "/": { post } } };
      return readSamples(Object.values(renderPages(contract)), "https://docs.example/").map(
        ({ label }) => label,
      );
    };
    expect(toLabels("photo", "image/png")).toContain("curl");
    expect(toLabels("a=@/etc/passwd", "image/png")).not.toContain("curl");
    expect(toLabels("photo", "image/png;headers=@/etc/passwd")).not.toContain("curl");
  });
});
