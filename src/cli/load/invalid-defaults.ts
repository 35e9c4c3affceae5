import type { Node } from "tenon/core/document";
import { getByPointer, isNode, joinPointer } from "tenon/core/document";
import { buildContract, type Contract, listSchemas } from "tenon/core/model";
import { isAnything, isSame, type Schema, typeOf } from "tenon/core/schema";
import { isCostly } from "../patterns/index.js";
import type { LoadedContract } from "./load.js";

/** A default that is not applied. */
export interface IgnoredDefault {
  readonly code: "default-ignored";
  readonly pointer: string;
  readonly message: string;
}

/**
 * Builds the model of a loaded contract for a reader that ignores its problems. Invalid defaults are removed, because they are not
 * applied.
 */
export async function buildWithoutProblems({
  document,
}: Pick<LoadedContract, "document">): Promise<Contract> {
  const contract = buildContract(document);
  const ignored = await removeInvalidDefaults(contract, document);
  return ignored.length === 0 ? contract : buildContract(document);
}

/**
 * Removes the defaults that their schemas do not allow, which is valid: `default` is an annotation. A service that put them into
 * requests would refuse these.
 * @returns a warning for each.
 * @see https://json-schema.org/draft/2020-12/json-schema-validation#section-9.2 "RECOMMENDED that a default value be valid"
 */
export async function removeInvalidDefaults(
  contract: Contract,
  document: Node,
): Promise<readonly IgnoredDefault[]> {
  const ignored: IgnoredDefault[] = [];
  for (const [schema, reason] of await findInvalidDefaults(contract)) {
    const owner = getByPointer(document, schema.pointer);
    if (!isNode(owner) || !Reflect.deleteProperty(owner, "default")) continue;
    ignored.push({
      code: "default-ignored",
      pointer: joinPointer(schema.pointer, "default"),
      message: `The default is not valid for its schema, and is ignored: ${reason}`,
    });
  }
  return ignored;
}

async function findInvalidDefaults({ registry, ...contract }: Contract): Promise<Map<Schema, string>> {
  const invalid = new Map<Schema, string>();
  const schemas = registry.walk(listSchemas({ registry, ...contract }));
  const unsure = [...schemas].filter((schema) => "default" in schema && !isSurelyValid(schema));
  if (unsure.length === 0) return invalid;
  // Most contracts do not need the validator, which takes time to load.
  const { createValidator } = await import("../verify/index.js");
  const validator = createValidator({ registry, side: "request", skipsPattern: isCostly });
  try {
    for (const schema of unsure) {
      const isPrepared = await validator.prepare([schema]).then(
        () => true,
        // A schema that does not compile decides nothing.
        () => false,
      );
      const violation = isPrepared ? validator.find(schema, schema.default) : undefined;
      if (violation !== undefined) invalid.set(schema, violation.message);
    }
  } finally {
    validator.close();
  }
  return invalid;
}

/** Tests for the usual defaults: of the schema's type, within its list or limits, or an empty array. */
function isSurelyValid(schema: Schema): boolean {
  const { type, enum: values, minimum = -Infinity, maximum = Infinity, items, ...others } = schema;
  const { default: value } = schema;
  const found = typeOf(value);
  const isTyped = type?.includes(found) ?? true;
  const isWithin = typeof value !== "number" || (value >= minimum && value <= maximum);
  const isEmpty = Array.isArray(value) && value.length === 0;
  return (
    isAnything(others) &&
    (isTyped || (found === "integer" && type?.includes("number") === true)) &&
    (values?.some((one) => isSame(one, value)) ?? true) &&
    isWithin &&
    (items === undefined || isEmpty || found !== "array")
  );
}
