// The contract's schemas written by hand, for the servers that have no validator of their own.
import { STATUSES } from "./service.mjs";

/** A query value with what is wrong with it. */
export function readListQuery(query) {
  const problems = [];
  for (const name of Object.keys(query)) {
    if (!["limit", "status", "cursor"].includes(name)) problems.push(`Query parameter "${name}" is unknown`);
    else if (typeof query[name] !== "string") problems.push(`Query parameter "${name}" must be given once`);
  }
  const { limit = "20", status, cursor } = query;
  const number = /^-?\d+$/.test(limit) ? Number(limit) : NaN;
  if (!(number >= 1 && number <= 100))
    problems.push('Query parameter "limit" must be an integer from 1 to 100');
  if (status !== undefined && !STATUSES.includes(status))
    problems.push(`Query parameter "status" must be one of ${STATUSES.join(", ")}`);
  return { problems, value: { limit: number, status, cursor } };
}

/** @returns a safe integer, or undefined. */
export function readPetId(text) {
  const number = /^-?\d+$/.test(text) ? Number(text) : NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}

export const BAD_PET_ID = 'Path parameter "petId" must be an integer';

/** What is wrong with a body. */
export function findBodyProblems(body) {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return ["The body must be an object"];
  const { name, categoryId, status } = body;
  const problems = [];
  if (name === undefined) problems.push('Field "name" is required');
  else if (typeof name !== "string") problems.push('Field "name" must be a string');
  if (categoryId === undefined) problems.push('Field "categoryId" is required');
  else if (!Number.isSafeInteger(categoryId)) problems.push('Field "categoryId" must be an integer');
  if (status !== undefined && !STATUSES.includes(status))
    problems.push(`Field "status" must be one of ${STATUSES.join(", ")}`);
  return problems;
}
