import { readdirSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { answerAll, type GeneratedServer } from "../../support/answer-all.js";

const FIXTURES = new URL("../../fixtures/", import.meta.url);

describe("every fixture's contract starts, and every operation responds", () => {
  test.each(readdirSync(FIXTURES).sort())("%s", async (name) => {
    const generated = (await import(`../../fixtures/${name}/generated/server.js`)) as GeneratedServer;
    const answers = await answerAll(generated);
    expect(answers.map(({ operation }) => operation)).toEqual(generated.operations);
    expect(answers.length).toBeGreaterThan(0);
    const wrong = answers.filter(({ expected }) => !expected);
    expect(wrong.map(({ operation, status }) => `${operation.id} answers ${status}`)).toEqual([]);
  });
});
