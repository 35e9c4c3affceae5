import { join, relative, resolve, sep } from "node:path";
import { BaseResolver, type Config, loadConfig, type Source } from "@redocly/openapi-core";
import { ContractError, type ContractProblemCode } from "../errors.js";
import { getOwn, isNode, joinPointer, members, type Node, toText } from "./document.js";
import { toPosition } from "./locate.js";
import type { Problem } from "./problem.js";
import { readDocument } from "./read-document.js";

/** One API of redocly.yaml that has an `x-tenon.output`. */
export interface ApiConfig {
  readonly name: string;
  /** Absolute path of the contract's root document. */
  readonly root: string;
  /** Absolute path of the folder for generated files. */
  readonly output: string;
  /** Absolute path of the folder that handlers are written in; undefined when `x-tenon` names none. */
  readonly handlers: string | undefined;
  /** Absolute path of the module that starts the service; undefined when `x-tenon` names none. */
  readonly main: string | undefined;
  /** Whether types go to one file a tag. Default: by the contract's size. */
  readonly split?: boolean;
  /** Redocly's configuration with this API's own rules applied. */
  readonly config: Config;
}

/**
 * Reads the redocly.yaml of a project:
 * ```yaml
 * apis:
 *   v1:
 *     root: openapi/v1.yaml
 *     x-tenon: { output: generated/v1, handlers: src/handlers, main: src/main.ts }
 * ```
 * Only `output` is required; `split: true` gives the types of each tag a file of their own.
 * @param directory Absolute path of the folder that redocly.yaml is in; its paths are relative to it.
 * @throws {ContractError} `config-missing`, `config-invalid`, `api-output`, `api-handlers`, `api-split`, `document-unreadable` or
 *   `document-syntax`.
 */
export async function loadApis(directory: string): Promise<readonly ApiConfig[]> {
  const file = join(directory, "redocly.yaml");
  const resolver = new BaseResolver();
  const { source, parsed } = await readDocument(file, resolver);
  const config = await loadConfig({ configPath: file, externalRefResolver: resolver }).catch(
    (cause: unknown) => {
      throw toConfigError(source, cause as Error);
    },
  );

  const problems: Problem[] = [];
  const report = (code: ContractProblemCode, pointer: string, message: string) => {
    problems.push({
      code,
      severity: "error",
      message,
      ...toPosition({ source, pointer, reportOnKey: true }),
    });
  };
  const apis: ApiConfig[] = [];
  for (const { name, node, pointer } of members(
    { node: isNode(parsed) ? parsed : {}, pointer: "#" },
    "apis",
  )) {
    const extension = getOwn(node, "x-tenon");
    if (!isNode(extension)) continue;
    const output = resolve(directory, toText(extension["output"]) ?? "");
    const root = resolve(directory, toText(node["root"]) ?? "");
    const other = apis.find(
      (api) => api.output === output || isBelow(api.output, output) || isBelow(output, api.output),
    );
    const outputPointer = joinPointer(pointer, "x-tenon", "output");
    const handlers = resolveMember(directory, extension, "handlers");
    if (handlers !== undefined && !isBelow(directory, handlers)) {
      report(
        "api-handlers",
        joinPointer(pointer, "x-tenon", "handlers"),
        `x-tenon.handlers must be a folder below redocly.yaml, for example src/handlers/${name}`,
      );
    } else if (handlers !== undefined && apis.some((api) => api.handlers === handlers)) {
      report(
        "api-handlers",
        joinPointer(pointer, "x-tenon", "handlers"),
        `Another API has its handlers there already; x-tenon.handlers can be src/handlers/${name}`,
      );
    }
    const { split } = extension;
    if (split !== undefined && typeof split !== "boolean") {
      const message = `x-tenon.split must be true or false, found ${JSON.stringify(split)}`;
      report("api-split", joinPointer(pointer, "x-tenon", "split"), message);
    }
    if (!isBelow(directory, output)) {
      report(
        "api-output",
        outputPointer,
        `x-tenon.output must be a folder below redocly.yaml, for example generated/${name}`,
      );
    } else if (other !== undefined) {
      report(
        "api-output",
        outputPointer,
        `APIs "${other.name}" and "${name}" must have different folders as x-tenon.output, neither within the other`,
      );
    } else if (isBelow(output, root)) {
      report(
        "api-output",
        outputPointer,
        `x-tenon.output must be a folder of its own, for example generated/${name}: the contract is in this one`,
      );
    } else {
      apis.push({
        name,
        root,
        output,
        handlers,
        main: resolveMember(directory, extension, "main"),
        ...(typeof split === "boolean" && { split }),
        config: config.forAlias(name),
      });
    }
  }
  if (apis.length === 0 && problems.length === 0) {
    report(
      "config-missing",
      "#/apis",
      "redocly.yaml must name an API with x-tenon.output, for example generated/v1",
    );
  }
  if (problems.length > 0) throw new ContractError(problems);
  return apis;
}

/** What Redocly says of a plugin or preset has no place in the file. */
function toConfigError(source: Source, { message: found }: Error): ContractError {
  const [reason = ""] = found.split("\n", 1);
  const message = `Cannot use redocly.yaml: ${reason}`;
  const place = toPosition({ source, pointer: "#/", reportOnKey: true });
  return new ContractError([{ code: "config-invalid", severity: "error", message, ...place }]);
}

function resolveMember(directory: string, extension: Node, name: string): string | undefined {
  return name in extension ? resolve(directory, toText(extension[name]) ?? "") : undefined;
}

/** Generated files never go to the project's own folder or out of it: whatever else is there would count as stray. */
function isBelow(directory: string, folder: string): boolean {
  const path = relative(directory, folder);
  return path !== "" && path !== ".." && !path.startsWith(`..${sep}`);
}
