import type { ParameterStyle } from "../../../src/tenon/core/parameters/index.js";

/** A parameter, what a caller writes for it, and the value that this is by the rules of decisions/0008. */
export interface Case {
  readonly parameter: {
    readonly name: "p";
    readonly in: "path" | "query" | "header" | "cookie";
    readonly required: boolean;
    readonly style: ParameterStyle;
    readonly explode: boolean;
    readonly schema: object;
  };
  readonly wire: string;
  /** Undefined when a text is no form of its types. */
  readonly want: unknown;
  /** The same where a form says it, which has empty values, and in objects what they do not declare. */
  readonly wantInForm: unknown;
}

type Type = "null" | "boolean" | "integer" | "number" | "string";
export interface Scalar {
  readonly schema: object;
  readonly types: readonly Type[];
}

export const SCALARS: readonly Scalar[] = [
  { schema: { type: "integer" }, types: ["integer"] },
  { schema: { type: "integer", minimum: 1, maximum: 7 }, types: ["integer"] },
  { schema: { type: "integer", format: "int32" }, types: ["integer"] },
  { schema: { type: "number" }, types: ["number"] },
  { schema: { type: "number", exclusiveMinimum: 0 }, types: ["number"] },
  { schema: { type: "boolean" }, types: ["boolean"] },
  { schema: { type: "string" }, types: ["string"] },
  { schema: { type: "string", minLength: 2, maxLength: 3 }, types: ["string"] },
  { schema: { type: ["string", "integer"] }, types: ["integer", "string"] },
  { schema: { type: ["boolean", "null"] }, types: ["null", "boolean"] },
  { schema: { type: ["integer", "number", "null"] }, types: ["null", "number"] },
  { schema: { enum: ["a", 1, true, null] }, types: ["null", "boolean", "integer", "string"] },
  { schema: { type: "string", enum: ["1", "a", "true"] }, types: ["string"] },
  { schema: { const: 7 }, types: ["integer"] },
  {
    schema: {
      oneOf: [
        { type: "integer", maximum: 5 },
        { type: "string", pattern: "^[a-z]" },
      ],
    },
    types: ["integer", "string"],
  },
  { schema: { anyOf: [{ type: "boolean" }, { type: "number" }] }, types: ["boolean", "number"] },
  { schema: { allOf: [{ type: ["integer", "string"] }, { type: "integer" }] }, types: ["integer"] },
  { schema: { $ref: "#/components/schemas/Size" }, types: ["integer", "string"] },
];
export const COMPONENTS = { schemas: { Size: { type: ["integer", "string"], not: { const: "abc" } } } };

export const TEXTS =
  "|0|1|7|-1|01|1.0|1.5|1e3|-0|0x1|9007199254740991|9007199254740993|1e400|true|false|True|null|a|abc|1 |é|a,b|a|b c|a&b=c;d.e/f?g#|,|1,2|a;b|a=b|constructor|%41|+1|NaN|Infinity|[]|{}".split(
    "|",
  );

const ORDER: readonly Type[] = ["null", "boolean", "integer", "number", "string"];

/** Written anew and by other means than what is tested: JavaScript's own reading, accepted where it changes nothing. */
export function toValue(text: string, types: readonly Type[]): unknown {
  for (const type of ORDER.filter((one) => types.includes(one))) {
    if (type === "string") return text;
    if (type === "null" && text === "null") return null;
    if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
    if (type === "integer" && Number.isSafeInteger(Number(text)) && String(Number(text)) === text)
      return Number(text);
    if (type === "number" && isJsonNumber(text)) return Number(text);
  }
  return undefined;
}

function isJsonNumber(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "number" && Number.isFinite(value) && text.trim() === text;
  } catch {
    return false;
  }
}

/** @see https://en.wikipedia.org/wiki/Linear_congruential_generator The same numbers for the same seed, on every machine. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const WAYS: readonly Pick<Case["parameter"], "in" | "style">[] = [
  { in: "path", style: "simple" },
  { in: "path", style: "label" },
  { in: "path", style: "matrix" },
  { in: "query", style: "form" },
  { in: "query", style: "spaceDelimited" },
  { in: "query", style: "pipeDelimited" },
  { in: "query", style: "deepObject" },
  { in: "header", style: "simple" },
  { in: "cookie", style: "form" },
];

export function createCases(count: number, random: (below: number) => number): readonly Case[] {
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;
  const cases: Case[] = [];
  while (cases.length < count) {
    const way = { ...pick(WAYS), explode: random(2) === 1 };
    const kind = pick(["plain", "array", "object"] as const);
    const onlyObjects = way.style === "deepObject";
    if ((onlyObjects && kind !== "object") || (way.style.endsWith("Delimited") && kind === "plain")) continue;
    // A header cannot escape what delimits; a space or bar cannot be in what they delimit; one empty text is an empty array.
    const texts = TEXTS.filter((text) => way.in !== "header" || /^[!-+\--<>-~]*$/.test(text)).filter(
      (text) => !way.style.endsWith("Delimited") || !/[ |]/.test(text),
    );
    const parameter = (schema: object): Case["parameter"] => ({
      name: "p",
      required: way.in === "path",
      ...way,
      schema,
    });
    const scalar = pick(SCALARS);
    if (kind === "plain") {
      const text = pick(texts);
      const empty = way.in === "query" && text === "";
      const wantInForm = toValue(text, scalar.types);
      const want = empty ? undefined : wantInForm;
      cases.push({ parameter: parameter(scalar.schema), wire: writePlain(text, way), want, wantInForm });
    } else if (kind === "array") {
      const items = Array.from({ length: 1 + random(3) }, () => pick(texts.filter((text) => text !== "")));
      const values = items.map((text) => toValue(text, scalar.types));
      const schema = { type: "array", items: scalar.schema, maxItems: 2 };
      const want = values.includes(undefined) ? undefined : values;
      cases.push({ parameter: parameter(schema), wire: writeArray(items, way), want, wantInForm: want });
    } else {
      const other = pick(SCALARS);
      const all = [
        ["a", pick(texts), scalar],
        ["b", pick(texts), other],
      ] as const;
      const entries = random(3) === 0 ? all.slice(random(2), 1 + random(2)) : all;
      if (entries.length === 0) continue;
      const values = entries.map(([name, text, { types }]) => [name, toValue(text, types)] as const);
      const want = values.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(values);
      const schema = {
        type: "object",
        properties: { a: scalar.schema, b: other.schema },
        ...(random(2) === 0 && { required: ["a"] }),
      };
      const wire = writeObject(
        entries.map(([name, text]) => [name, text]),
        way,
      );
      cases.push({ parameter: parameter(schema), wire, want, wantInForm: want });
    }
  }
  return cases;
}

type Way = Pick<Case["parameter"], "in" | "style" | "explode">;

/** Everything that delimits in some style is escaped; a header's text is as it is. */
const escape = (text: string, { in: place }: Way): string =>
  place === "header" ? text : encodeURIComponent(text).replaceAll(".", "%2E");

function writePlain(text: string, way: Way): string {
  const value = escape(text, way);
  return way.style === "form" ? `p=${value}` : way.style === "matrix" ? `;p=${value}` : prefix(way) + value;
}

function writeArray(texts: readonly string[], way: Way): string {
  const values = texts.map((text) => escape(text, way));
  if (way.explode && (way.in === "query" || way.in === "cookie"))
    return values.map((value) => `p=${value}`).join("&");
  if (way.explode && way.style === "matrix") return values.map((value) => `;p=${value}`).join("");
  return name(way) + prefix(way) + values.join(delimiter(way));
}

function writeObject(entries: readonly (readonly [string, string])[], way: Way): string {
  const pairs = entries.map(([key, text]) => [key, escape(text, way)] as const);
  if (way.style === "deepObject") return pairs.map(([key, value]) => `p[${key}]=${value}`).join("&");
  if (way.explode && way.style === "matrix") return pairs.map(([key, value]) => `;${key}=${value}`).join("");
  if (!way.explode) return name(way) + prefix(way) + pairs.flat().join(delimiter(way));
  const separator = way.in === "query" || way.in === "cookie" ? "&" : delimiter(way);
  return prefix(way) + pairs.map(([key, value]) => `${key}=${value}`).join(separator);
}

const name = ({ in: place, style }: Way): string =>
  style === "matrix" ? ";p=" : place === "query" || place === "cookie" ? "p=" : "";
const prefix = ({ style }: Way): string => (style === "label" ? "." : "");
const delimiter = ({ style, explode }: Way): string =>
  style === "spaceDelimited"
    ? "%20"
    : style === "pipeDelimited"
      ? "%7C"
      : style === "label" && explode
        ? "."
        : ",";
