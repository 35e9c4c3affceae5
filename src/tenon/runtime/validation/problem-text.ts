import { type SchemaProblem, toKeys, type ToldProblem } from "./schema-problem.js";

/** Puts one problem as a reader would; a property that is missing or unknown is what the problem is about. */
export function toTold({ instancePath, keyword, params, message, parentSchema }: SchemaProblem): ToldProblem {
  const path = toKeys(instancePath);
  const within = (name: unknown, text: string): ToldProblem => ({ path: [...path, String(name)], text });
  switch (keyword) {
    case "required":
      return within(params["missingProperty"], "is required");
    case "dependentRequired":
      return within(params["missingProperty"], `is required beside "${String(params["property"])}"`);
    case "additionalProperties":
      return within(params["additionalProperty"], "is unknown");
    case "unevaluatedProperties":
      return within(params["unevaluatedProperty"], "is unknown");
    case "propertyNames":
      return within(params["propertyName"], "has a name that is not allowed");
    case "type":
      return { path, text: `must be ${listTypes(typesOf(params["type"], parentSchema))}` };
    case "const":
      return { path, text: `must be ${show(params["allowedValue"])}` };
    case "enum":
      return { path, text: oneOfValues(params["allowedValues"] as readonly unknown[]) };
    case "uniqueItems":
      return {
        path,
        text: `must not have the same item twice, at ${String(params["j"])} and ${String(params["i"])}`,
      };
    case "false schema":
      return { path, text: "is not allowed" };
    default:
      return { path, text: inWords(message ?? "is invalid") };
  }
}

/** `must be one of a, b, null`, each value once. */
export function oneOfValues(values: readonly unknown[]): string {
  const [only, ...others] = new Set(values.map(show));
  return others.length === 0 ? `must be ${String(only)}` : `must be one of ${[only, ...others].join(", ")}`;
}

const show = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** What `type` allows; null too where the schema says so beside it. */
export function typesOf(type: unknown, schema: unknown): readonly string[] {
  const nullable = (schema as { readonly nullable?: unknown } | undefined)?.nullable === true;
  return [...([] as unknown[]).concat(type).map(String), ...(nullable ? ["null"] : [])];
}

/** `a string, an integer or null` */
export function listTypes(types: readonly string[]): string {
  const names = [...new Set(types)].map((type) => {
    if (type === "null") return type;
    return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
  });
  return names.join(", ").replace(/, ([^,]*)$/, " or $1");
}

/** The validator's messages as a reader would put them; the ones that already read well stay. */
const IN_WORDS: readonly (readonly [RegExp, string])[] = [
  [/^must be <= /, "must be at most "],
  [/^must be >= /, "must be at least "],
  [/^must be < /, "must be less than "],
  [/^must be > /, "must be more than "],
  [/^must be multiple of /, "must be a multiple of "],
  [/^must NOT /, "must not "],
];

function inWords(message: string): string {
  for (const [pattern, words] of IN_WORDS) {
    if (pattern.test(message)) return message.replace(pattern, words);
  }
  return message;
}
