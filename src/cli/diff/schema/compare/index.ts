/** Compares normal forms, one file a kind of value. */
export { type Annotations, compareAnnotations, readAnnotations } from "./annotations.js";
export { compareNormalForms } from "./compare-normal-forms.js";
export * from "./difference.js";
export type { Relation } from "./match-alternatives.js";
