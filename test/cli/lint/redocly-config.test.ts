import { beforeAll, expect, test } from "@jest/globals";
import { type Config, lint, lintConfig, loadConfig } from "@redocly/openapi-core";
import createPlugin from "../../../src/cli/lint/index.js";

let config: Config;
beforeAll(async () => {
  config = await loadConfig({ configPath: "redocly.yaml" });
});

test("redocly.yaml: the configuration itself is well formed", async () => {
  expect(await lintConfig({ config, severity: "error" })).toEqual([]);
});

test("redocly.yaml: openapi/v1.yaml has no problem", async () => {
  const problems = await lint({ ref: "openapi/v1.yaml", config: config.forAlias("v1") });
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
});

test("redocly.yaml: names no rule that does not exist", async () => {
  const v1 = config.forAlias("v1");
  await lint({ ref: "openapi/v1.yaml", config: v1 });
  expect(v1.getUnusedRules().rules).toEqual([]);
});

/** Off for the reason beside it: the interface document shows no limits. */
const OFF = ["tenon/integer-exact"];

test("redocly.yaml: has every rule of ours switched on", () => {
  const names = Object.keys(createPlugin().rules?.oas3 ?? {}).map((name) => `tenon/${name}`);
  const off = names.filter((name) => config.getRuleSettings(name, "oas3_1").severity === "off");
  expect(off).toEqual(OFF);
});

test("redocly.yaml: every built-in rule is on, or off for a reason given beside it", () => {
  const builtIn = config.plugins.find((plugin) => plugin.id === "")?.rules?.oas3 ?? {};
  const off = Object.keys(builtIn).filter(
    (name) => config.getRuleSettings(name, "oas3_1").severity === "off",
  );
  const ofOtherVersions = [
    "nullable-type-sibling",
    "spec-discriminator-defaultMapping",
    "spec-no-invalid-encoding-combinations",
    "spec-no-invalid-tag-parents",
    "spec-querystring-parameters",
  ];
  expect(off.filter((name) => !ofOtherVersions.includes(name)).sort()).toEqual([
    "info-contact",
    "operation-2xx-response",
    "operation-4xx-problem-details-rfc7807",
    "path-parameters-defined",
    "path-params-defined",
    "required-string-property-missing-min-length",
    "response-contains-property",
  ]);
});
