import fc, { type Arbitrary } from "fast-check";
import { type Document, type Operation, type Parameter, follow } from "./contract.js";
import {
  type Chosen,
  type Draft,
  KEY,
  keyOf,
  toDraft,
  toRequest,
  withCredentials,
  withMethod,
  withoutBody,
} from "./draft.js";
import type { TestRequest } from "./request.js";
import { type Values, createValues } from "./values.js";

export interface Target {
  readonly contract: string;
  readonly document: Document;
  readonly basePath: string;
  /** The operations to ask, out of the runtime's table. */
  readonly operations: readonly { readonly id: string; readonly method: string; readonly path: string }[];
}

/** What headers, queries and paths have trouble with, spelled as clients do or as they try to. */
const ODD_TEXTS = [
  ...["", " ", " 5", "5 ", "1e1", "0x10", "01", "1.0", "+5", "-0", "Infinity", "9007199254740993", "1e400"],
  ...["null", "TRUE", "yes", "a,b", "1,2", "it's", "(a)", "[1]", '{"a":1}', "é", "2026-02-30"],
];

/** Members that JSON allows and that mean different things to different programs, or nothing exact. */
const ODD_MEMBERS = [
  '"odd":1,"odd":2',
  '"odd":"\\u0000"',
  '"odd":"\\ud800"',
  '"odd":1e400',
  '"odd":9007199254740993',
];

/**
 * Requests to the operations of a contract: half of them valid, the others with one thing wrong. Parameters are plain values
 * and arrays of them, in the styles `simple` and `form`; of bodies only JSON is made. Not made: objects as parameters, other
 * styles, `content` of parameters, forms, files, several credentials at once, and two things wrong.
 */
export function createRequests(target: Target): Arbitrary<TestRequest> {
  return fc.oneof(...target.operations.map((operation) => toOperationRequests(target, operation)));
}

function toOperationRequests(
  { contract, document, basePath }: Target,
  { id, method, path }: Target["operations"][number],
): Arbitrary<TestRequest> {
  const values = createValues(document);
  const item = document.paths[path] as Readonly<Record<string, Operation | undefined>> & Operation;
  const operation = item[method] ?? {};
  const parameters = findParameters(document, item.parameters, operation.parameters);
  const { content, required: isRequired = false } = follow(
    document,
    operation.requestBody ?? { content: {} },
  );
  const bodySchema = content["application/json"]?.schema;
  const [requirement = {}] = operation.security ?? document.security ?? [];

  const chosen = toChosen(parameters, values);
  const text = bodySchema === undefined ? fc.constant(undefined) : values.valid(bodySchema).map(toJson);
  const body = isRequired ? text : fc.option(text, { nil: undefined, freq: 4 });
  const draft = (one: Chosen, sent: string | undefined): Draft =>
    withCredentials(toDraft({ method, path, parameters }, one, sent), document, requirement, KEY);
  const valid = fc.tuple(chosen, body).map(([one, sent]) => draft(one, sent));

  const ways: (readonly [wrong: string, drafts: Arbitrary<Draft>])[] = [
    ["unknown query parameter", valid.map((one) => ({ ...one, query: [...one.query, ["unknown", "1"]] }))],
    ["unknown path", valid.map((one) => ({ ...one, path: `${one.path}/no/such/path` }))],
    ["wrong method", valid.map((one) => ({ ...one, method: findOtherMethod(item) }))],
    ["HEAD or OPTIONS", fc.constantFrom("head", "options").chain((other) => valid.map(withMethod(other)))],
    ["Accept", valid.map((one) => ({ ...one, headers: { ...one.headers, Accept: "image/png" } }))],
    ["repeated", valid.map((one) => ({ ...one, query: [...one.query, ...one.query.slice(0, 1)] }))],
  ];
  const changed = (wrong: string, texts: Arbitrary<Chosen>) =>
    ways.push([wrong, fc.tuple(texts, body).map(([one, sent]) => draft(one, sent))]);
  for (const parameter of parameters) {
    const key = keyOf(parameter);
    const replaced = (bad: Arbitrary<unknown>) =>
      fc.tuple(chosen, bad).map(([one, value]) => ({ ...one, [key]: value }));
    changed(`${key} spoilt`, replaced(values.spoilt(parameter.schema ?? {})));
    changed(`${key} odd`, replaced(fc.constantFrom(...ODD_TEXTS)));
    if (parameter.in !== "path") changed(`${key} missing`, replaced(fc.constant(undefined)));
  }
  if (Object.keys(requirement).length > 0) {
    const bare = fc
      .tuple(chosen, body)
      .map(([one, sent]) => toDraft({ method, path, parameters }, one, sent));
    ways.push(["no credential", bare]);
    const other = bare.map((one) => withCredentials(one, document, requirement, "another-key"));
    ways.push(["wrong credential", other]);
  }
  if (bodySchema !== undefined) {
    const spoilt = fc.tuple(chosen, values.spoilt(bodySchema).map(toJson));
    const bodies = spoilt.map(([one, sent]) => draft(one, sent));
    // Bodies have the most ways to be wrong.
    for (let weight = 0; weight < 4; weight += 1) ways.push(["body spoilt", bodies]);
    const withBody = fc.tuple(chosen, text).map(([one, sent]) => draft(one, sent));
    const typed = (type: string) =>
      withBody.map((one) => ({ ...one, headers: { ...one.headers, "content-type": type } }));
    const begun = (member: string) =>
      withBody.map((one) => ({ ...one, body: one.body?.replace(/^\{(?=")/, () => `{${member},`) }));
    if (Object.keys(content).length === 1)
      ways.push(["content type", fc.constantFrom("text/plain", "application/xml", "image/png").chain(typed)]);
    ways.push(
      ["odd JSON", fc.constantFrom(...ODD_MEMBERS).chain(begun)],
      ["broken JSON", withBody.map((one) => ({ ...one, body: one.body?.slice(0, -1) }))],
      ["empty body", withBody.map((one) => ({ ...one, body: "" }))],
      ["no body", withBody.map(withoutBody)],
    );
  }
  const finish = (wrong: string) => (one: Draft) =>
    toRequest(one, { contract, operationId: id, wrong, needsBody: isRequired, basePath });
  const wrong = fc.oneof(...ways.map(([name, drafts]) => drafts.map(finish(name))));
  return fc.oneof(valid.map(finish("nothing")), wrong);
}

/** The operation's parameters win over the path item's. */
function findParameters(
  document: Document,
  ...lists: readonly (readonly Parameter[] | undefined)[]
): readonly Parameter[] {
  const found = new Map<string, Parameter>();
  for (const reference of lists.flatMap((list) => list ?? [])) {
    const parameter = follow(document, reference);
    found.set(keyOf(parameter), parameter);
  }
  return [...found.values()];
}

function toChosen(parameters: readonly Parameter[], values: Values): Arbitrary<Chosen> {
  const entries = parameters.map(
    (parameter) => [keyOf(parameter), values.valid(parameter.schema ?? {})] as const,
  );
  const required = parameters.filter((one) => one.required === true || one.in === "path").map(keyOf);
  return fc.record(Object.fromEntries(entries), { requiredKeys: required, noNullPrototype: true });
}

const toJson = (value: unknown): string => JSON.stringify(value);

function findOtherMethod(item: Readonly<Record<string, unknown>>): string {
  return ["delete", "patch", "put"].find((method) => !(method in item)) ?? "trace";
}
