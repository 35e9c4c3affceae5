import { getItems, getMembers, type Located, pickTexts, toStrings, toText } from "../document/node.js";
import { joinPointer } from "../document/pointer.js";
import type { BuildContext } from "./context.js";
import type { Server } from "./contract.js";

/** Builds the servers that the document, a path item or an operation declares. */
export function buildServers(owner: Located): readonly Server[] {
  return getItems(owner, "servers").map((server) => {
    const { node, pointer } = server;
    return {
      pointer,
      url: toText(node["url"]) ?? "",
      ...pickTexts(node, "description"),
      variables: getMembers(server, "variables").map(({ name, ...variable }) => {
        const usual = toText(variable.node["default"]);
        return {
          pointer: variable.pointer,
          name,
          ...(usual !== undefined && { default: usual }),
          enum: toStrings(variable.node["enum"]),
          ...pickTexts(variable.node, "description"),
        };
      }),
    };
  });
}

/**
 * Returns the URL of a server with the defaults of its variables. A variable without a default stays.
 * `{base_url}` with the default `https://a.example/v1` is `https://a.example/v1`.
 */
export function toServerUrl({ url, variables }: Pick<Server, "url" | "variables">): string {
  return url.replace(
    /\{([^{}]*)\}/g,
    (whole, name: string) => variables.find((one) => one.name === name)?.default ?? whole,
  );
}

/**
 * Finds the path at which the service is mounted. It is the path of the first server: `/v1` for `https://example.com/v1/` and for
 * `{base_url}` with that default. Reports servers with another path.
 * @returns Path without a trailing slash; "" if the server has none.
 * @see https://spec.openapis.org/oas/v3.1.0#server-object
 */
export function findBasePath(servers: readonly Server[], context: Pick<BuildContext, "report">): string {
  const [first, ...others] = toPaths(servers, context);
  if (first === undefined) return "";
  for (const { path, pointer } of others) {
    if (path === first.path) continue;
    const message = `The service is mounted at "${first.path}", the path of the first server, not at "${path}"`;
    context.report("base-path-other", pointer, message, "Put first the server whose path the service sees");
  }
  return first.path;
}

/** Reports servers of a path item or operation with another path: all operations share one base path. */
export function reportServers(
  servers: readonly Server[],
  basePath: string,
  context: Pick<BuildContext, "report">,
): void {
  for (const { path, pointer } of toPaths(servers, context)) {
    if (path === basePath) continue;
    const message = `These operations are mounted at "${basePath}" like all others, not at "${path}"`;
    context.report("servers-ignored", pointer, message, "Put the path into the path template");
  }
}

/** Returns the paths of servers with the pointers of their URLs. */
function toPaths(
  servers: readonly Server[],
  { report }: Pick<BuildContext, "report">,
): readonly { readonly path: string; readonly pointer: string }[] {
  return servers.flatMap((server) => {
    const pointer = joinPointer(server.pointer, "url");
    const url = toServerUrl(server);
    // The URL of a server may be relative to the URL of the contract, which does not change its path.
    const base = "http://localhost";
    if (URL.canParse(url, base)) return [{ path: new URL(url, base).pathname.replace(/\/+$/, ""), pointer }];
    report("base-path", pointer, `Cannot read the server's URL "${url}"`);
    return [];
  });
}
