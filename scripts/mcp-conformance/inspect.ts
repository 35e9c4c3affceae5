import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Program, run } from "./run.js";
import type { PetStoreTarget } from "./targets.js";

interface Printed {
  readonly tools?: readonly { readonly name: string }[];
  readonly structuredContent?: { readonly status?: number; readonly body?: unknown };
}

/** Uses the pet store's tools with the Inspector's command line, and returns what is wrong. */
export async function inspectPetStore(
  inspector: Program,
  { url, key }: PetStoreTarget,
): Promise<readonly string[]> {
  const home = mkdtempSync(join(tmpdir(), "tenon-inspector-"));
  const ask = (sent: string | undefined, ...argv: readonly string[]) => {
    const header = sent === undefined ? [] : ["--header", `Authorization: Bearer ${sent}`];
    return run(inspector, ["--cli", url, "--transport", "http", ...argv, ...header], { HOME: home });
  };
  const problems: string[] = [];
  const expect = (what: string, isRight: boolean, found: unknown) => {
    process.stdout.write(`${isRight ? "pass" : "FAIL"}  Inspector: ${what}\n`);
    if (!isRight) problems.push(`Inspector: ${what}: ${JSON.stringify(found)}`);
  };
  const read = (text: string): Printed => {
    try {
      return JSON.parse(text) as Printed;
    } catch {
      return {};
    }
  };
  try {
    const call = ["--method", "tools/call", "--tool-name"];
    const listed = await ask(key, "--method", "tools/list", "--strict");
    const names = read(listed.stdout)
      .tools?.map(({ name }) => name)
      .join(" ");
    expect(
      "lists listPets and createPet, with portable schemas",
      names === "listPets createPet" && listed.exitCode === 0,
      listed,
    );
    const created = await ask(key, ...call, "createPet", "--tool-arg", "name=Rex", "categoryId=1");
    expect("createPet creates a pet", read(created.stdout).structuredContent?.status === 201, created);
    const found = await ask(key, ...call, "listPets", "--tool-arg", "limit=1");
    expect(
      "listPets finds it",
      JSON.stringify(read(found.stdout).structuredContent?.body ?? null).includes('"Rex"'),
      found,
    );
    for (const wrong of [undefined, "petstore_wrong"])
      for (const argv of [
        ["--method", "tools/list"],
        [...call, "listPets"],
      ]) {
        const refused = await ask(wrong, ...argv);
        const what = `${argv[1] ?? ""} is refused ${wrong === undefined ? "without a key" : "with a wrong key"}`;
        const isRefused =
          refused.exitCode !== 0 && !refused.stdout.includes("Rex") && !refused.stdout.includes("listPets");
        expect(what, isRefused, refused);
      }
    return problems;
  } finally {
    rmSync(home, { recursive: true });
  }
}
