/** One request that every server has to answer alike. */
interface Probe {
  readonly method?: "POST";
  readonly target: string;
  /** `Authorization`; default: the valid key. */
  readonly authorization?: string | null;
  readonly body?: string;
  /** Default with a body: `application/json`. */
  readonly contentType?: string;
}

/** What is compared of an answer. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, parsed. */
  readonly body: unknown;
}

const PET = JSON.stringify({ name: "Rex", categoryId: 1, status: "available" });

/** The requests that are measured, and what a service must not get wrong to be compared with. */
const PROBES: readonly Probe[] = [
  { target: "/v1/pets?limit=20" },
  { target: "/v1/pets?limit=100" },
  { target: "/v1/pets", method: "POST", body: PET },
  { target: "/v1/pets/1" },
  { target: "/v1/pets?limit=20", authorization: null },
  { target: "/v1/pets?limit=500" },

  { target: "/v1/pets" },
  { target: "/v1/pets?status=sold&limit=3" },
  { target: "/v1/pets?status=lost" },
  { target: "/v1/pets?limit=0" },
  { target: "/v1/pets?limit=many" },
  { target: "/v1/pets?offset=3" },
  { target: "/v1/pets?cursor=made-up" },
  { target: "/v1/pets", authorization: "Bearer nobody" },
  { target: "/v1/pets/1", authorization: null },
  { target: "/v1/pets/one" },
  { target: "/v1/pets/4711" },
  { target: "/v1/pets/1?limit=3" },
  { target: "/v1/nothing" },
  { target: "/v1/pets", method: "POST", body: '{"name":"Tom","categoryId":2,"owner":"nobody"}' },
  { target: "/v1/pets", method: "POST", body: '{"categoryId":2}' },
  { target: "/v1/pets", method: "POST", body: '{"name":"Tom","categoryId":"2"}' },
  { target: "/v1/pets", method: "POST", body: '{"name":"Tom","categoryId":2,"status":"lost"}' },
  { target: "/v1/pets", method: "POST", body: '{"name":' },
  { target: "/v1/pets", method: "POST", body: "name=Tom", contentType: "text/plain" },
  { target: "/v1/pets", method: "POST", body: PET, authorization: null },
];

/** Headers of an answer that matter to whoever calls. */
const HEADERS = [
  "cache-control",
  "content-type",
  "deprecation",
  "link",
  "sunset",
  "www-authenticate",
  "x-content-type-options",
  "x-request-id",
];

const REQUEST_ID = "the-check-of-the-benchmark";

/** Sends all probes to a server, in order. Animals that are created get the same ids everywhere. */
export async function probe(url: string, key: string): Promise<ReadonlyMap<string, Answer>> {
  const answers = new Map<string, Answer>();
  for (const { method = "GET", target, authorization = `Bearer ${key}`, body, contentType } of PROBES) {
    const response = await fetch(url + target, {
      method,
      headers: {
        "X-Request-Id": REQUEST_ID,
        ...(authorization !== null && { Authorization: authorization }),
        ...(body !== undefined && { "Content-Type": contentType ?? "application/json" }),
      },
      ...(body !== undefined && { body }),
    });
    const headers = HEADERS.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value]];
    });
    const name = [method, target, authorization === `Bearer ${key}` ? "" : (authorization ?? "no key"), body];
    answers.set(name.filter(Boolean).join(" "), {
      status: response.status,
      headers: Object.fromEntries(headers) as Record<string, string>,
      body: await response.json().catch(() => undefined),
    });
  }
  return answers;
}

/**
 * What another server answers differently, a line each. The contract leaves the text of an error's message open, so that
 * is not compared for the errors that a framework words by itself.
 */
export function findDifferences(
  name: string,
  ours: ReadonlyMap<string, Answer>,
  theirs: ReadonlyMap<string, Answer>,
): readonly string[] {
  return [...ours].flatMap(([request, own]) => {
    const [want, found] = [own, theirs.get(request)].map((answer) =>
      JSON.stringify(answer && toComparable(answer)),
    );
    return want === found
      ? []
      : [`${name}: ${request}\n  want  ${want ?? ""}\n  found ${found ?? "no answer"}`];
  });
}

/** Statuses whose message is the framework's. */
const OWN_WORDS: readonly number[] = [400, 404, 415];

function toComparable({ status, headers, body }: Answer): Answer {
  const type = headers["content-type"]?.replace(/;\s*charset=utf-8$/i, "").toLowerCase() ?? "";
  const told = (body as { message?: unknown } | undefined)?.message;
  const message = OWN_WORDS.includes(status) && typeof told === "string" && told !== "" ? "…" : told;
  return {
    status,
    headers: { ...headers, "content-type": type },
    body: told === undefined ? body : { ...(body as object), message },
  };
}
