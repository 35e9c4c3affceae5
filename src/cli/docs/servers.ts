import { isNode, type Node, toArray } from "tenon/core/legacy/document";

/**
 * The address of a server with the defaults of its variables in their place: pages take `{base_url}` for a path of their host.
 * A variable that is not declared stays.
 */
export function toServerUrl(server: Node): string | undefined {
  const { url, variables } = server;
  if (typeof url !== "string") return undefined;
  return url.replaceAll(/\{([^{}]+)\}/g, (template, name: string) => {
    const variable = isNode(variables) && Object.hasOwn(variables, name) ? variables[name] : undefined;
    return isNode(variable) && typeof variable["default"] === "string" ? variable["default"] : template;
  });
}

/**
 * A contract with the running service before its other servers.
 * @param service Relative to the page's address, or whole; undefined when nobody knows it.
 */
export function withService<Contract extends object>(
  contract: Contract,
  service: string | undefined,
): Contract {
  if (service === undefined) return contract;
  const declared = toArray((contract as Node)["servers"]);
  const isService = (server: unknown) => isNode(server) && toServerUrl(server) === service;
  const own = declared.find(isService) ?? { url: service, description: "This service" };
  return { ...contract, servers: [own, ...declared.filter((server) => server !== own)] };
}
