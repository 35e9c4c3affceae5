import { HTTP_METHODS, type HttpMethod } from "tenon/core/http";

/** An operation as a page calls it. */
export interface SizedOperation {
  /** camelCase, as generators make it of the operationId. */
  readonly name: string;
  readonly method: HttpMethod;
  readonly path: string;
  /** Names of the path parameters. */
  readonly parameters: readonly string[];
  readonly hasBody: boolean;
}

interface CutContract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Keeps the first operations of a document and the components, of which generators use what they need. */
export function cutContract(
  document: string,
  count: number,
): { readonly contract: CutContract; readonly operations: readonly SizedOperation[] } {
  const whole = JSON.parse(document) as CutContract;
  const paths: Record<string, Record<string, unknown>> = {};
  const operations: SizedOperation[] = [];
  for (const [path, pathItem] of Object.entries(whole.paths))
    for (const method of HTTP_METHODS) {
      const operation = pathItem[method] as { operationId: string; requestBody?: unknown } | undefined;
      if (operation === undefined || operations.length === count) continue;
      (paths[path] ??= {})[method] = operation;
      const name = operation.operationId.replaceAll(/[^A-Za-z0-9]+(.)/g, (_, letter: string) =>
        letter.toUpperCase(),
      );
      const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = ""]) => parameter);
      operations.push({ name, method, path, parameters, hasBody: operation.requestBody !== undefined });
    }
  return { contract: { ...whole, paths }, operations };
}
