import type { Contract, Operation } from "tenon/core/model";
import type { CodeSample } from "../samples/samples.js";
import type { SampleValues } from "../samples/sample-values.js";
import type { SchemaView } from "../../values/index.js";

/** The sources of the parts of a site. */
export interface RenderContext {
  readonly contract: Contract;
  readonly samples: ReadonlyMap<Operation, readonly CodeSample[]>;
  readonly request: Side;
  readonly response: Side;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The schemas as requests or responses have them, and values of them for examples. */
export interface Side {
  readonly view: SchemaView;
  readonly values: SampleValues;
}
