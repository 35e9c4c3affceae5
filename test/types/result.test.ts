import { expect, test } from "@jest/globals";
import type { Result } from "tenon/client";

interface Body<Content> {
  readonly headers: object;
  readonly content: { readonly "application/json": Content };
}
interface Empty {
  readonly headers: object;
  readonly content?: never;
}

declare const result: Result<{
  201: Body<"created">;
  204: Empty;
  404: Body<"missing">;
  "4XX": Body<"wrong">;
  default: Body<"any">;
}>;

declare const holds: <Type>(value: Type) => Type;

/** Never called: compiling it is the test. */
export function narrow(): unknown {
  if (result.status === 201) return holds<"created">(result.data);
  if (result.status === 204) {
    holds<undefined>(result.data);
    return;
  }
  if (result.status === 404) return holds<"missing">(result.error);
  if (result.status === 422) return holds<"wrong">(result.error);
  if (result.status === 503) return holds<"any">(result.error);
  // @ts-expect-error where successes are declared, `default` means errors
  if (result.status === 200) return undefined;
  // @ts-expect-error status 299 has no meaning, so that it cannot be told from the others
  return result.status === 299;
}

export function early(): unknown {
  // @ts-expect-error nobody has looked at the status yet
  return holds<"created">(result.data);
}

declare const only: Result<{ default: Body<"any"> }>;
declare const range: Result<{ "2XX": Body<"done">; default: Body<"any"> }>;

export function defaults(): unknown {
  if (only.status === 200) return holds<"any">(only.data);
  if (range.status === 202) return holds<"done">(range.data);
  if (range.error !== undefined) return holds<"any">(range.error);
  return holds<"done">(range.data);
}

export function narrowByError(): unknown {
  if (result.error !== undefined) return result.error;
  return holds<"created" | undefined>(result.data);
}

test("the types of a result are told apart by status", () => {
  expect([narrow, early, defaults, narrowByError]).toHaveLength(4);
});
