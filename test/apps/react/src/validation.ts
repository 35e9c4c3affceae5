import type { NewPet } from "../../../../generated/v1/server.js";

type Validated =
  { readonly value: NewPet; readonly issues?: undefined } | { readonly issues: readonly string[] };

/** Validates the form before it is sent; the service validates it again. */
export function validateNewPet({
  name,
  categoryId,
}: {
  readonly name: unknown;
  readonly categoryId: unknown;
}): Validated {
  const issues: string[] = [];
  if (typeof name !== "string" || name === "") issues.push("Name is required");
  if (!Number.isSafeInteger(categoryId)) issues.push("Category must be a whole number");
  if (issues.length > 0) return { issues };
  return { value: { name: String(name), categoryId: Number(categoryId) } };
}
