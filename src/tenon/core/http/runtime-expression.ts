import { getByPointer, getOwn } from "../document/pointer.js";

/**
 * The parts of a message that runtime expressions refer to.
 * @see https://spec.openapis.org/oas/v3.1.0#runtime-expressions
 */
export interface ExchangedMessage {
  /** Values by name, in any case. */
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly path?: Readonly<Record<string, unknown>>;
  /** The parsed body. */
  readonly body?: unknown;
}

/** A request and its response. */
export interface Exchange {
  readonly url?: string;
  readonly method?: string;
  readonly statusCode?: number;
  readonly request?: ExchangedMessage;
  readonly response?: ExchangedMessage;
}

/**
 * Evaluates the key of a Callback Object: an expression, or a text with expressions in braces.
 * `{$request.body#/callbackUrl}/done` becomes `https://client.example/hooks/done`.
 * @returns undefined if one of the expressions has no value.
 */
export function evaluateTemplate(template: string, exchange: Exchange): string | undefined {
  if (template.startsWith("$")) return evaluateExpression(template, exchange);
  const values: (string | undefined)[] = [];
  const text = template.replace(/\{(\$[^{}]+)\}/g, (_, expression: string) => {
    const value = evaluateExpression(expression, exchange);
    values.push(value);
    return value ?? "";
  });
  return values.includes(undefined) ? undefined : text;
}

/** Evaluates `$request.body#/id` and others; undefined if there is no value, or one that is not a scalar. */
export function evaluateExpression(expression: string, exchange: Exchange): string | undefined {
  const value = find(expression, exchange);
  return ["string", "number", "boolean"].includes(typeof value) ? String(value) : undefined;
}

function find(expression: string, { url, method, statusCode, request, response }: Exchange): unknown {
  if (expression === "$url") return url;
  if (expression === "$method") return method;
  if (expression === "$statusCode") return statusCode;
  const [, message, source = ""] = /^\$(request|response)\.(.+)$/s.exec(expression) ?? [];
  const { headers = {}, query = {}, path = {}, body } = (message === "request" ? request : response) ?? {};
  if (source === "body") return body;
  if (source.startsWith("body#"))
    return typeof body === "object" && body !== null ? getByPointer(body, source.slice(4)) : undefined;
  const [, place, name = ""] = /^(header|query|path)\.(.+)$/s.exec(source) ?? [];
  if (place === "query") return getOwn(query, name);
  if (place === "path") return getOwn(path, name);
  if (place !== "header") return undefined;
  const lower = name.toLowerCase();
  return Object.entries(headers).find(([key]) => key.toLowerCase() === lower)?.[1];
}
