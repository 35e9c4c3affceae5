import { KEY } from "./draft.js";
import type { TestRequest } from "./request.js";

/** A request that shows one intended difference, and the statuses of the two answers. */
export interface Example {
  readonly request: TestRequest;
  readonly ours: number;
  readonly theirs: number;
}

const AUTHORIZATION = { Authorization: `Bearer ${KEY}` };
const JSON_TYPE = { "content-type": "application/json" };

/** By the name of the intended difference. */
export const EXAMPLES: Readonly<Record<string, Example>> = {
  "HEAD and OPTIONS": { ...pets("HEAD", "/v1/pets"), ours: 200, theirs: 405 },
  Accept: { ...pets("GET", "/v1/pets", { headers: { Accept: "image/png" } }), ours: 406, theirs: 200 },
  "credentials before the body": {
    ...pets("POST", "/v1/pets", { headers: { Authorization: "", ...JSON_TYPE }, body: "{" }),
    ours: 401,
    theirs: 400,
  },
  "path templates": {
    ...example("shapes", "GET", "/items/1", { headers: { "X-Trace-Id": "t" } }),
    ours: 200,
    theirs: 404,
  },
  "no Content-Type": { ...pets("POST", "/v1/pets"), ours: 400, theirs: 415 },
  "empty body": {
    ...example("parameters", "POST", "/v1/withBody?ids=1", { headers: JSON_TYPE, body: "" }),
    ours: 200,
    theirs: 400,
  },
  "spelling of numbers": {
    ...pets("GET", "/v1/pets?limit=Infinity", { numbers: ["Infinity"] }),
    ours: 400,
    theirs: 200,
  },
  "zero in a path": { ...pets("GET", "/v1/pets/0", { numbers: ["0"] }), ours: 200, theirs: 200 },
  "reserved characters": { ...pets("GET", "/v1/pets?cursor=it's"), ours: 200, theirs: 400 },
  "escaped delimiters": {
    ...example("parameters", "POST", "/v1/withBody?ids=1%2C2", { headers: JSON_TYPE, body: '{"age":1}' }),
    ours: 400,
    theirs: 200,
  },
  "repeated arrays": {
    ...example("parameters", "POST", "/v1/withBody?ids=1&ids=2", { headers: JSON_TYPE, body: '{"age":1}' }),
    ours: 400,
    theirs: 200,
  },
  "days and times": { ...example("parameters", "GET", "/v1/unions?day=2026-02-30"), ours: 400, theirs: 200 },
  "null as a text": {
    ...example("shapes", "GET", "/things?page=null", { headers: AUTHORIZATION, numbers: ["null"] }),
    ours: 200,
    theirs: 400,
  },
  "unions in parameters": { ...example("parameters", "GET", "/v1/unions?flag=true"), ours: 200, theirs: 400 },
  "duplicate members": { ...newPet('"odd":1,"odd":2'), ours: 400, theirs: 200 },
  NUL: { ...newPet('"odd":"\\u0000"'), ours: 400, theirs: 200 },
  "lone surrogates": { ...newPet('"odd":"\\ud800"'), ours: 400, theirs: 200 },
  "rounded numbers": {
    ...pets("POST", "/v1/pets", { headers: JSON_TYPE, body: '{"name":"Rex","categoryId":9007199254740993}' }),
    ours: 400,
    theirs: 200,
  },
};

type Parts = Partial<Pick<TestRequest, "headers" | "body" | "numbers">>;

function example(
  contract: string,
  method: string,
  target: string,
  parts: Parts = {},
): Pick<Example, "request"> {
  const labels = { contract, operationId: "", wrong: "an example" };
  return { request: { ...labels, method, target, headers: {}, numbers: [], needsBody: false, ...parts } };
}

function pets(method: string, target: string, { headers, ...parts }: Parts = {}): Pick<Example, "request"> {
  return example("petstore", method, target, { ...parts, headers: { ...AUTHORIZATION, ...headers } });
}

function newPet(member: string): Pick<Example, "request"> {
  return pets("POST", "/v1/pets", { headers: JSON_TYPE, body: `{${member},"name":"Rex","categoryId":1}` });
}
