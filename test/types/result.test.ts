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
  if (result.status === 200) return holds<"any">(result.data);
  // @ts-expect-error status 299 has no meaning, so that it cannot be told from the others
  return result.status === 299;
}

export function early(): unknown {
  // @ts-expect-error nobody has looked at the status yet
  return holds<"created">(result.data);
}

test("the types of a result are told apart by status", () => {
  expect([narrow, early]).toHaveLength(2);
});
