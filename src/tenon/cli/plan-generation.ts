import type { ApiConfig } from "../contract/config.js";
import type { Problem } from "../contract/problem.js";
import { ContractError } from "../errors.js";
import type { CommandContext } from "./context.js";
import { emitApi, type EmittedApi } from "./emit-api.js";
import { type FileChange, findStray, planChanges } from "./file-changes.js";
import { withProgress } from "./progress.js";

/** What generating one API would do. */
export interface Plan extends EmittedApi {
  readonly api: ApiConfig;
  readonly changes: readonly FileChange[];
  /** Absolute paths of what was not generated into the API's output. */
  readonly stray: readonly string[];
}

/**
 * Emits every API and compares the text with what is on disk. Nothing is written.
 * @throws {ContractError} with the problems of all APIs when one of them has an error.
 */
export function planGeneration(
  apis: readonly ApiConfig[],
  context: CommandContext,
): Promise<readonly Plan[]> {
  return withProgress(context, async (tell) => {
    const plans: Plan[] = [];
    const problems: Problem[] = [];
    for (const api of apis) {
      tell(`Generating ${api.name}`);
      try {
        const emitted = await emitApi(api, context.cwd);
        problems.push(...emitted.warnings);
        const changes = await planChanges(api.output, emitted.files);
        plans.push({ ...emitted, api, changes, stray: await findStray(api.output, emitted.files) });
      } catch (error) {
        if (!(error instanceof ContractError)) throw error;
        problems.push(...error.problems);
      }
    }
    if (plans.length < apis.length) throw new ContractError(problems);
    return plans;
  });
}
