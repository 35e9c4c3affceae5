import { getItems, getMembers, type Located, pickTexts, toStrings, toText } from "../document/node.js";
import { joinPointer } from "../document/pointer.js";
import type { BuildContext } from "./context.js";
import type { Contract, Operation, Server, ServerVariable } from "./contract.js";

/** Builds the servers that the document, a path item or an operation declares. */
export function buildServers(owner: Located): readonly Server[] {
  return getItems(owner, "servers").map((server) => {
    const { node, pointer } = server;
    return {
      pointer,
      url: toText(node["url"]) ?? "",
      ...pickTexts(node, "name", "description"),
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

/** Finds the base path of an operation that is not mounted at the contract's. */
export function findOwnBasePath(
  { basePaths }: Pick<Operation, "basePaths">,
  { basePath }: Pick<Contract, "basePath">,
): string | undefined {
  return basePaths?.includes(basePath) === false ? basePaths[0] : undefined;
}

/** Maximum number of base paths that the variables of a server expand to. */
const MAX_BASE_PATHS = 32;

/**
 * Finds the paths at which the operations of servers are mounted: `/v1` for `https://example.com/v1/` and for `{base_url}` with that
 * default. A variable in the path adds a base path for each value of its `enum`; reports one without `enum`.
 * @returns Different paths without a trailing slash, in document order, with the defaults of each server first. Empty without servers.
 * @see https://spec.openapis.org/oas/v3.1.0#server-object
 */
export function findBasePaths(
  servers: readonly Server[],
  { report }: Pick<BuildContext, "report">,
): readonly string[] {
  const paths = servers.flatMap((server) => {
    const pointer = joinPointer(server.pointer, "url");
    const { values, isCut } = listValues(findPathVariables(server, report));
    if (isCut) {
      const message = `The variables of the server's path have more than ${MAX_BASE_PATHS} combinations; only those are mounted`;
      report("server-variable", pointer, message, "Put the variable into the path templates");
    }
    return values.flatMap((variables) => {
      const url = toServerUrl({ url: server.url, variables: [...variables, ...server.variables] });
      // The URL of a server may be relative to the URL of the contract, which does not change its path.
      const base = "http://localhost";
      if (URL.canParse(url, base)) return [new URL(url, base).pathname.replace(/\/+$/, "")];
      report("base-path", pointer, `Cannot read the server's URL "${url}"`);
      return [];
    });
  });
  return [...new Set(paths)];
}

/** Finds the variables that change the path: those after the authority, and one that starts the URL. */
function findPathVariables(
  { url, variables }: Server,
  report: BuildContext["report"],
): readonly ServerVariable[] {
  const [start = ""] = /^(?:[^/]*:)?\/\/[^/]*|^\{[^{}]*\}/.exec(url) ?? [];
  return variables.filter((variable) => {
    const expression = `{${variable.name}}`;
    const isInPath = url.slice(start.length).includes(expression);
    if (isInPath && variable.enum.length === 0) {
      const message = `The path of the server depends on "${variable.name}", which has no \`enum\`; only its default is mounted`;
      report(
        "server-variable",
        variable.pointer,
        message,
        "List the values in `enum`, or put the variable into the path templates",
      );
    }
    return isInPath || start === expression;
  });
}

/** Lists the combinations of the variables' values, those with defaults first. */
function listValues(variables: readonly ServerVariable[]) {
  let values: readonly (readonly ServerVariable[])[] = [[]];
  let isCut = false;
  for (const variable of variables) {
    const texts = [
      ...new Set([...(variable.default === undefined ? [] : [variable.default]), ...variable.enum]),
    ];
    const all = texts.flatMap((text) => values.map((before) => [...before, { ...variable, default: text }]));
    isCut ||= all.length > MAX_BASE_PATHS;
    if (all.length > 0) values = all.slice(0, MAX_BASE_PATHS);
  }
  return { values, isCut };
}
