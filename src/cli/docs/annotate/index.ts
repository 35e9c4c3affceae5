/** The contract as Redoc shows it: with notes, links and samples of code. */
export { annotate, type AnnotatedContract, type AnnotateOptions } from "./annotate.js";
export { escapeMarkdown } from "./markdown.js";
