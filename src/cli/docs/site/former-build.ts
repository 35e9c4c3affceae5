import type { Contract } from "tenon/core/model";
import { toCallMembers } from "../../generate/client.js";
import type { RenderContext } from "../render/context.js";
import type { SampleOptions } from "../samples/samples.js";
import { createFingerprints } from "./fingerprints.js";

/** The results of the builds of a site, for the next one: what is made from the same is not made again. */
export class FormerBuild {
  #former = new Map<string, unknown>();
  #current = new Map<string, unknown>();

  /**
   * Returns what was made for a key, by this build or the last one, else makes it.
   * @param key Of one kind, and of all that it is made from.
   */
  reuse<Made>(key: string, make: () => Made): Made {
    const made = (this.#current.get(key) ?? this.#former.get(key) ?? make()) as Made;
    this.#current.set(key, made);
    return made;
  }

  /** Ends a build, and forgets what it did not need. */
  end(): void {
    this.#former = this.#current;
    this.#current = new Map();
  }
}

/** Creates the function that makes the parts of a contract's site, or has them from an earlier build. */
export function createReuse(
  former: FormerBuild,
  contract: Contract,
  { now, service, client, groupByTag = false }: SampleOptions & Pick<RenderContext, "now">,
): RenderContext["reuse"] {
  const members = toCallMembers(contract, groupByTag);
  const toFingerprint = createFingerprints(contract.registry.document, {
    common: [service, client],
    operations: contract.operations.map((operation) => {
      const { pointer, id, hasId } = operation;
      return [pointer, JSON.stringify([id, hasId, members.get(operation)])];
    }),
    now,
  });
  return (name, pointers, make) => former.reuse(`${name} ${toFingerprint(...pointers)}`, make);
}
