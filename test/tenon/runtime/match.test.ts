import { describe, expect, test } from "@jest/globals";
import { createMatcher } from "../../../src/tenon/runtime/routing/match.js";
import type { HttpMethod } from "../../../src/tenon/runtime/contract/operation.js";

const OPERATIONS: { method: HttpMethod; path: string }[] = [
  { method: "get", path: "/pets" },
  { method: "post", path: "/pets" },
  { method: "get", path: "/pets/{petId}" },
  { method: "delete", path: "/pets/{petId}" },
  { method: "get", path: "/pets/mine" },
  { method: "post", path: "/pets/{petId}:archive" },
  { method: "get", path: "/files/{name}.{ext}" },
  { method: "get", path: "/files/{name}" },
  { method: "get", path: "/owners/{owner-id}/pets/{pet.id}" },
  { method: "put", path: "/owners/{ownerId}/pets/{id}" },
  { method: "get", path: "/a.b+c/(d)" },
  { method: "get", path: "/__proto__/{constructor}" },
  { method: "options", path: "/cors" },
  { method: "get", path: "/" },
];
const match = createMatcher(["/v1"], OPERATIONS);

/** `"get /pets/{petId} petId=7"`, or what else the matcher said. */
function told(method: string, path: string): string {
  const result = match(method, path);
  if (result.kind === "other-method") return `other-method ${result.allow}`;
  if (result.kind !== "operation") return result.kind;
  const { operation, pathParameters } = result;
  const values = Object.entries(pathParameters).map(([name, value]) => ` ${name}=${value}`);
  return `${operation.method} ${operation.path}${values.join("")}`;
}

describe("match", () => {
  test.each([
    ["GET", "/v1/pets", "get /pets"],
    ["GET", "/v1/pets/7", "get /pets/{petId} petId=7"],
    ["GET", "/v1/pets/a%2Fb%20c", "get /pets/{petId} petId=a%2Fb%20c"],
    ["GET", "/v1/pets/mine", "get /pets/mine"],
    ["DELETE", "/v1/pets/mine", "delete /pets/{petId} petId=mine"],
    ["POST", "/v1/pets/7:archive", "post /pets/{petId}:archive petId=7"],
    ["GET", "/v1/pets/7:archive", "get /pets/{petId} petId=7:archive"],
    ["GET", "/v1/files/a.tar.gz", "get /files/{name}.{ext} name=a.tar ext=gz"],
    ["GET", "/v1/files/README", "get /files/{name} name=README"],
    ["GET", "/v1/owners/1/pets/2", "get /owners/{owner-id}/pets/{pet.id} owner-id=1 pet.id=2"],
    ["PUT", "/v1/owners/1/pets/2", "put /owners/{ownerId}/pets/{id} ownerId=1 id=2"],
    ["GET", "/v1/a.b+c/(d)", "get /a.b+c/(d)"],
    ["GET", "/v1/aXb+c/(d)", "no-path"],
    ["GET", "/v1/__proto__/x", "get /__proto__/{constructor} constructor=x"],
    ["GET", "/v1/", "get /"],
    ["HEAD", "/v1/pets", "get /pets"],
    ["OPTIONS", "/v1/cors", "options /cors"],
    ["DELETE", "/v1/pets", "other-method GET, HEAD, OPTIONS, POST"],
    ["PUT", "/v1/pets/7", "other-method DELETE, GET, HEAD, OPTIONS"],
    ["HEAD", "/v1/cors", "other-method OPTIONS"],
    ["get", "/v1/pets", "other-method GET, HEAD, OPTIONS, POST"],
    ["GET", "/v1", "no-path"],
    ["GET", "/v1/pets/", "no-path"],
    ["GET", "/v1//pets", "no-path"],
    ["GET", "/v1/PETS", "no-path"],
    ["GET", "/v1/%70ets", "no-path"],
    ["GET", "/v1/toString", "no-path"],
    ["GET", "/v1/pets/1/toys", "no-path"],
    ["GET", "/v2/pets", "outside"],
    ["GET", "/v1x/pets", "outside"],
    ["GET", "/", "outside"],
    ["GET", "*", "outside"],
  ])("%s %s is %s", (method, path, want) => {
    expect(told(method, path)).toBe(want);
  });

  test("the order of declarations does not matter", () => {
    const reversed = createMatcher(["/v1"], [...OPERATIONS].reverse());
    const found = reversed("GET", "/v1/pets/mine");
    expect(found.kind === "operation" && found.operation.path).toBe("/pets/mine");
  });

  test("operations are below each base path, or below their own", () => {
    const upload = { method: "post", path: "/pets", basePaths: ["/files"] } as const;
    const list = { method: "get", path: "/pets" } as const;
    const get = { method: "get", path: "/{id}", basePaths: ["/v1/pets", "/v1"] } as const;
    const find = createMatcher(["/v1", "/v2"], [list, upload, get]);
    const seen = (method: string, path: string) => {
      const found = find(method, path);
      if (found.kind === "operation") return found.operation;
      return found.kind === "other-method" ? found.allow : found.kind;
    };
    expect(seen("GET", "/v1/pets")).toBe(list);
    expect(seen("GET", "/v2/pets")).toBe(list);
    expect(seen("GET", "/files/pets")).toBe("OPTIONS, POST");
    expect(seen("POST", "/files/pets")).toBe(upload);
    expect(seen("POST", "/v1/pets")).toBe("GET, HEAD, OPTIONS");
    expect(find("GET", "/v1/pets/7")).toMatchObject({ operation: get, pathParameters: { id: "7" } });
    expect(find("GET", "/v1/7")).toMatchObject({ operation: get, pathParameters: { id: "7" } });
    expect(seen("GET", "/v2/7")).toBe("no-path");
    expect(seen("GET", "/files")).toBe("no-path");
    expect(seen("GET", "/v3/pets")).toBe("outside");
  });

  test("an empty base path beside another owns every path, and the longer one wins", () => {
    const any = { method: "get", path: "/{a}/{b}", basePaths: [""] } as const;
    const pets = { method: "get", path: "/pets" } as const;
    const find = createMatcher(["/v1"], [any, pets]);
    expect(find("GET", "/v1/pets")).toMatchObject({ operation: pets });
    expect(find("GET", "/v1/toys")).toMatchObject({ operation: any, pathParameters: { a: "v1", b: "toys" } });
    expect(find("GET", "/nope").kind).toBe("no-path");
  });

  test("an empty base path owns every path", () => {
    const rootMatch = createMatcher([""], OPERATIONS);
    expect(rootMatch("GET", "/pets").kind).toBe("operation");
    expect(rootMatch("GET", "/nope").kind).toBe("no-path");
  });
});
