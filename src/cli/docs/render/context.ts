import type { Node } from "tenon/core/document";
import type { Contract, Operation } from "tenon/core/model";
import type { SampleSet } from "../samples/samples.js";
import type { SampleValues } from "../samples/sample-values.js";
import type { SchemaView } from "../../values/index.js";

/** The sources of the parts of a site. */
export interface RenderContext {
  /** The document itself, for what the model does not have. */
  readonly document: Node;
  readonly contract: Contract;
  readonly toSamples: (operation: Operation) => readonly SampleSet[];
  /** The schemas as requests have them. */
  readonly request: SchemaView;
  readonly response: SchemaView;
  /** The schemas of components, which may be of requests and of responses. */
  readonly component: SchemaView;
  /** Values of responses, for examples. */
  readonly values: SampleValues;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly reuse: Reuse;
}

/**
 * Returns what an earlier build made from the same, else makes it.
 * @param name Of what is made.
 * @param pointers Of what it is made from.
 */
type Reuse = <Made>(name: string, pointers: readonly string[], make: () => Made) => Made;
