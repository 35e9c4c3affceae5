import { type DocumentContext, isNode, items, type Located, toText } from "./document.js";
import { getOwn, joinPointer } from "../document/pointer.js";

/**
 * Builds the path of the first server, which the service is mounted at: `/v1` for `https://example.com/v1/` and for
 * `{base_url}` with that default. Servers with another path are reported.
 * @returns Path without a trailing slash, "" when the server has none.
 * @see https://spec.openapis.org/oas/v3.1.0#server-object
 */
export function buildBasePath(context: DocumentContext): string {
  const [first, ...others] = readServers({ node: context.document, pointer: "#" }, context);
  if (first === undefined) return "";
  for (const { path, pointer } of others) {
    if (path === first.path) continue;
    const message = `The service is mounted at "${first.path}", as the first server says, and not at "${path}"`;
    context.report("base-path-other", pointer, message, "Put first the server whose path the service sees");
  }
  return first.path;
}

/** Reports servers of a path item or operation that say another path: what they share is mounted at one. */
export function reportServers(owner: Located, basePath: string, context: DocumentContext): void {
  for (const { path, pointer } of readServers(owner, context)) {
    if (path === basePath) continue;
    const message = `These operations are mounted at "${basePath}" like all others, and not at "${path}"`;
    context.report("servers-ignored", pointer, message, "Put the path into the path template");
  }
}

/** Paths of servers, and where their URLs are. */
function readServers(
  owner: Located,
  context: DocumentContext,
): readonly { readonly path: string; readonly pointer: string }[] {
  return items(owner, "servers").flatMap((server) => {
    const path = toPath(server);
    const pointer = joinPointer(server.pointer, "url");
    if (path === undefined) {
      context.report("base-path", pointer, `Cannot read the server's URL "${toUrl(server)}"`);
      return [];
    }
    return [{ path, pointer }];
  });
}

function toPath(server: Located): string | undefined {
  // A server's URL may be relative to where the contract is served, which leaves the path as it is.
  const base = "http://localhost";
  const url = toUrl(server);
  return URL.canParse(url, base) ? new URL(url, base).pathname.replace(/\/+$/, "") : undefined;
}

/** A variable without a default stays, and makes no difference when it is not in the path. */
function toUrl({ node }: Located): string {
  const variables = getOwn(node, "variables");
  return (toText(node["url"]) ?? "").replace(/\{([^}]*)\}/g, (whole, name: string) => {
    const variable = isNode(variables) ? getOwn(variables, name) : undefined;
    return (isNode(variable) ? toText(variable["default"]) : undefined) ?? whole;
  });
}
