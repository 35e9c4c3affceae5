import { type ClientOperation, defineCall } from "tenon/client";

/** The data of an operation whose path and method are known. */
export type Data = Omit<ClientOperation, "id" | "method" | "path">;

/** Creates the calls of a client from the data of its operations, by path and method. */
export function toCalls(
  paths: Readonly<Record<string, Readonly<Partial<Record<ClientOperation["method"], Data>>>>>,
): object {
  return Object.fromEntries(
    Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, data]) => {
        const id = `${method} ${path}`;
        return [id, defineCall({ id, method: method as ClientOperation["method"], path, ...data })];
      }),
    ),
  );
}
