/** What is measured. */
export interface Scenario {
  readonly title: string;
  /** Status of every answer. */
  readonly status: number;
  /** HTTP requests as texts, to be sent in turn. */
  readonly requests: (key: string) => readonly string[];
}

const NEW_PET = JSON.stringify({ name: "Rex", categoryId: 1, status: "available" });

/** Animals that are read, one after the other. */
const READ_IDS = Array.from({ length: 1_000 }, (_, index) => ((index * 617) % 1_000) + 1);

export const SCENARIOS = {
  list20: {
    title: "list of 20",
    status: 200,
    requests: (key) => [toRequest("GET", "/v1/pets?limit=20", key)],
  },
  list100: {
    title: "list of 100",
    status: 200,
    requests: (key) => [toRequest("GET", "/v1/pets?limit=100", key)],
  },
  create: {
    title: "create",
    status: 201,
    requests: (key) => [toRequest("POST", "/v1/pets", key, NEW_PET)],
  },
  read: {
    title: "read",
    status: 200,
    requests: (key) => READ_IDS.map((id) => toRequest("GET", `/v1/pets/${id}`, key)),
  },
  unauthorized: {
    title: "401",
    status: 401,
    requests: () => [toRequest("GET", "/v1/pets?limit=20")],
  },
  invalid: {
    title: "400",
    status: 400,
    requests: (key) => [toRequest("GET", "/v1/pets?limit=500", key)],
  },
} as const satisfies Readonly<Record<string, Scenario>>;

export type ScenarioName = keyof typeof SCENARIOS;

export const SCENARIO_NAMES = Object.keys(SCENARIOS) as readonly ScenarioName[];

/** What a client in Node.js or a browser sends, and no more. */
export function toRequest(method: string, target: string, key?: string, body?: string): string {
  const head = [
    `${method} ${target} HTTP/1.1`,
    "Host: localhost",
    "Accept: */*",
    ...(key === undefined ? [] : [`Authorization: Bearer ${key}`]),
    ...(body === undefined ? [] : ["Content-Type: application/json", `Content-Length: ${body.length}`]),
  ];
  return `${head.join("\r\n")}\r\n\r\n${body ?? ""}`;
}
