import { describe, expect, test } from "@jest/globals";
import { assertIdentifier, toIdentifier, toTypeName } from "../../../src/tenon/core/model/names.js";

describe("toIdentifier and toTypeName", () => {
  test.each([
    ["listPets", "listPets", "ListPets"],
    ["get-pet", "getPet", "GetPet"],
    ["get /pets/{petId}", "getPetsPetId", "GetPetsPetId"],
    ["2d.shape", "_2dShape", "_2dShape"],
    ["snake_case", "snake_case", "Snake_case"],
    ["class", "class", "Class"],
    ["größe", "größe", "Größe"],
    ["__proto__", "__proto__", "__proto__"],
    ["", "_", "_"],
    ["*/ }", "_", "_"],
  ])("%j", (name, identifier, typeName) => {
    expect([toIdentifier(name), toTypeName(name)]).toEqual([identifier, typeName]);
  });
});

test("assertIdentifier refuses names that need quotes", () => {
  expect(assertIdentifier("$a")).toBe("$a");
  expect(() => assertIdentifier("a b")).toThrow('Cannot emit "a b" without quotes');
});
