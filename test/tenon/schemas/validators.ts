import vm from "node:vm";
import ts from "typescript";
import { emitSchemas } from "../../../src/cli/generate/schemas/schemas.js";
import type { Contract } from "../../../src/tenon/core/model/index.js";
import type { SchemaProblem } from "../../../src/tenon/core/validation/index.js";
import type { Side } from "../../../src/tenon/core/schema/index.js";
import { createEov } from "../../../src/tenon/runtime/validation/eov.js";
import { createSideSchemas } from "../../../src/tenon/runtime/validation/schemas.js";
import * as schemas from "../../../src/tenon/schemas/index.js";

/** Runs the text of a schemas.ts, and returns what it exports. */
export function evaluate(text: string): Readonly<Record<string, schemas.Validator<unknown>>> {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023 },
  });
  const exported = {};
  const run = vm.runInThisContext(`(exports, require) => {${outputText}}`) as (
    exports: object,
    require: () => unknown,
  ) => void;
  run(exported, () => schemas);
  return exported;
}

/** Emits and runs the validators of a contract. */
export function createValidators(contract: Contract): Readonly<Record<string, schemas.Validator<unknown>>> {
  return evaluate(emitSchemas(contract, { source: "test", marked: false }));
}

/** The runtime's validator of a component; defaults are put into the value. */
export function createRuntime(contract: Contract, side: Side, validators = createEov()) {
  const validator = validators[side];
  const written = createSideSchemas(contract.registry, side, validator);
  return (reference: string): ((value: unknown) => readonly SchemaProblem[]) =>
    validator.compileValue(written.write(contract.registry.get(reference)));
}
