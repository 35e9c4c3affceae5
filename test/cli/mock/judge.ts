import { Ajv2020 } from "@redocly/ajv/dist/2020.js";
import { isNode, type Node, Source, toNode } from "../../../src/tenon/core/document/index.js";

const FORMATS = {
  date: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
  "date-time": (text: string) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(text) &&
    !Number.isNaN(Date.parse(text)),
  time: /^\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/,
  email: /^[^\s@]+@[^\s@]+\.[a-z]+$/,
  uri: (text: string) => URL.canParse(text),
  uuid: /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
  ipv4: /^\d+\.\d+\.\d+\.\d+$/,
  ipv6: /^[\da-f:]+$/,
  byte: /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/,
  int32: { type: "number", validate: (value: number) => value === (value | 0) },
} as const;

/** What judges a body: which response of which operation it is of. */
export interface Judged {
  readonly path: string;
  readonly method: string;
  /** Key of `responses`. */
  readonly status: string;
  readonly mediaType: string;
}

/** Says what is wrong with a response's body, by a validator and a reading of schemas that are not the runtime's. */
export function createJudge(document: Node): (judged: Judged, value: unknown) => string {
  const ajv = new Ajv2020({
    strict: false,
    logger: false,
    ownProperties: true,
    formats: FORMATS,
    multipleOfPrecision: 9,
    code: { regExp: Object.assign((text: string, flags: string) => toRegExp(text, flags), { code: "" }) },
  });
  const plain = toPlain(document, String(document["openapi"]).startsWith("3.0")) as Node;
  ajv.addSchema(plain, "contract:");
  const source = new Source(plain);
  const step = (node: Node, key: string): Node => {
    const { $ref, ...child } = toNode(node[key]);
    return typeof $ref === "string" ? toNode(source.lookUp($ref.replace("contract:", ""))?.node) : child;
  };
  return ({ path, method, status, mediaType }, value) => {
    const keys = ["paths", path, method, "responses", status, "content", mediaType];
    const content = keys.reduce<Node>(step, plain);
    const validate = ajv.compile(content["schema"] ?? {});
    return validate(value) ? "" : ajv.errorsText(validate.errors);
  };
}

function toRegExp(text: string, flags: string): RegExp {
  try {
    return new RegExp(text, flags);
  } catch {
    return new RegExp(text);
  }
}

/** JSON Schema as it is written, but for what a response is not to have and `nullable`; done everywhere, schema or not. */
function toPlain(value: unknown, is30: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => toPlain(item, is30));
  if (!isNode(value)) return value;
  const { nullable, discriminator, oneOf, ...others } = value;
  // A discriminator says which alternative counts, so that others may match too.
  const rest = {
    ...others,
    ...(oneOf !== undefined && { [discriminator === undefined ? "oneOf" : "anyOf"]: oneOf }),
  };
  const copy = Object.fromEntries(Object.entries(rest).map(([key, child]) => [key, toPlain(child, is30)]));
  if (typeof copy["$ref"] === "string") copy["$ref"] = copy["$ref"].replace(/^#/, "contract:#");
  const { required, properties } = value;
  if (Array.isArray(required) && isNode(properties)) {
    copy["required"] = required.filter((name) => {
      const property = properties[String(name)];
      return !(isNode(property) && property["writeOnly"] === true);
    });
  }
  return is30 && nullable === true ? { anyOf: [{ type: "null" }, copy] } : copy;
}
