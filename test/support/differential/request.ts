/** What a generated request carries beside its bytes, for the comparison and the list of intended differences. */
export interface TestRequest {
  readonly contract: string;
  /** The operation that it was made for. */
  readonly operationId: string;
  /** What is wrong with it; `nothing` where nothing is meant to be. */
  readonly wrong: string;
  readonly method: string;
  /** Path and query as they go out. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Whether the operation requires a body. */
  readonly needsBody: boolean;
  /** The texts among its parameters that stand for numbers. */
  readonly numbers: readonly string[];
}

/** An answer of 200 holds what the handler saw, any other is only its status. */
export interface TestAnswer {
  readonly status: number;
  readonly seen?: unknown;
}

/** One line for a shell, with the port left to the reader. */
export function toCurl({ method, target, headers, body }: TestRequest): string {
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  return [
    `curl -i -g --path-as-is -X ${method}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-binary ${quote(body)}`]),
    quote(`http://localhost:PORT${target}`),
  ].join(" ");
}
