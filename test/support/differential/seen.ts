import express, { type Express } from "express";

/** What a handler of either server tells of what it was given, as JSON. Not the cookies: express-openapi-validator loses them (0002). */
export interface Seen {
  readonly path: unknown;
  readonly query: unknown;
  /** Names in lower case, the declared ones only. */
  readonly headers: unknown;
  readonly body: unknown;
}

/** Parameters of an operation. */
type Declared = readonly { readonly name: string; readonly in: string }[];

export function namesOf(parameters: Declared, place: string): readonly string[] {
  return parameters.filter((parameter) => parameter.in === place).map(({ name }) => name);
}

export function toHeaders(parameters: Declared, headers: unknown): object {
  const lower = Object.fromEntries(
    Object.entries(headers as object).map(([name, value]) => [name.toLowerCase(), value as unknown]),
  );
  return pick(
    lower,
    namesOf(parameters, "header").map((name) => name.toLowerCase()),
  );
}

export function pick(values: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}

/** Without what the comparison does not look at. */
export function createApp(): Express {
  return express().disable("etag").disable("x-powered-by");
}

export function answerNotFound(
  _request: unknown,
  response: { status(code: number): { json(body: object): unknown } },
): void {
  response.status(404).json({});
}
