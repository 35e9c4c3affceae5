import { type DocumentContext, getOwn, isNode, items, type Located, toText } from "./document.js";

/**
 * Builds the path that all servers share: `/v1` for `https://example.com/v1/` and for `{base_url}` with that default.
 * @returns Path without a trailing slash, "" when no server has one.
 * @see https://spec.openapis.org/oas/v3.1.0#server-object
 */
export function buildBasePath(context: DocumentContext): string {
  const [first, ...others] = items({ node: context.document, pointer: "#" }, "servers").flatMap((server) => {
    const path = toPath(server);
    if (path === undefined) {
      context.report("base-path", `${server.pointer}/url`, `Cannot read the server's URL "${toUrl(server)}"`);
      return [];
    }
    return [{ path, pointer: server.pointer }];
  });
  if (first === undefined) return "";
  for (const { path, pointer } of others) {
    if (path === first.path) continue;
    const message = `Every server must have one base path: the first has "${first.path}", this one "${path}"`;
    context.report("base-path", `${pointer}/url`, message);
  }
  return first.path;
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
