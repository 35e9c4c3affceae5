import {
  type ApiConfig,
  chooseApi,
  findFile,
  loadModel,
  type LoadedModel,
  loadProject,
} from "../project/index.js";
import { type BadExample, type MockServer, type MockServerOptions, startMock } from "../mock/index.js";
import { type CommandContext, type ExitCode } from "../output/context.js";
import { followSaves } from "../output/follow-saves.js";
import { formatProblem } from "../output/format-problem.js";
import { withProgress } from "../output/terminal.js";
import { serveUntilStopped } from "../output/serving.js";

export interface MockCommandOptions extends Omit<
  MockServerOptions,
  "onResponse" | "onBadExample" | "onFailure"
> {
  /** Name of an API of redocly.yaml, a file or a URL; the only API when there is none. */
  readonly contract?: string | undefined;
}

/**
 * Serves a contract from its examples and generated data until the user stops it. A saved contract is served at once, if it is good.
 * @throws {ContractError | UsageError} when it cannot start.
 */
export async function runMock(options: MockCommandOptions, context: CommandContext): Promise<ExitCode> {
  return serveUntilStopped(startFor(options, context), options.port, "the mock listens at", context);
}

async function startFor(
  { contract: named, ...options }: MockCommandOptions,
  context: CommandContext,
): Promise<MockServer> {
  const { cwd, stdout, stderr } = context;
  const load = async () => loadModel(await findContract(named, cwd));
  const toOptions = (loaded: LoadedModel) => ({
    onBadExample: (bad: BadExample) => stderr.write(formatBadExample(bad, loaded, cwd)),
  });
  let files: readonly string[] = [];
  const server = await withProgress(context, async (report) => {
    report("Reading the contract");
    const loaded = await load();
    ({ files } = loaded);
    report("Starting the mock");
    return startMock(loaded.contract, {
      ...options,
      ...toOptions(loaded),
      onFailure: ({ problem, error }) =>
        stderr.write(`${problem.status}: ${error instanceof Error ? error.message : String(error)}\n`),
      onResponse: ({ method, target, status, operationId = "not in the contract" }) =>
        stdout.write(`${status}  ${method} ${target}  ${operationId}\n`),
    });
  });
  const watch = await followSaves({
    files,
    reload: async () => {
      const loaded = await load();
      server.replace(loaded.contract, toOptions(loaded));
      return loaded.files;
    },
    context,
  });
  return {
    ...server,
    stop: async () => {
      await watch.close();
      await server.stop();
    },
  };
}

function formatBadExample({ pointer, problems }: BadExample, { locate }: LoadedModel, cwd: string): string {
  const message = `The example is invalid and is never sent: ${problems.join("; ")}`;
  return formatProblem({ ...locate(pointer), code: "example-invalid", severity: "warning", message }, cwd);
}

/** A file is checked against OpenAPI only; an API of redocly.yaml also against its rules. */
async function findContract(
  named: string | undefined,
  cwd: string,
): Promise<Pick<ApiConfig, "root" | "config">> {
  const file = named === undefined ? undefined : await findFile(named, cwd);
  if (file !== undefined) return file;
  return chooseApi(await loadProject(cwd), named, "by name");
}
