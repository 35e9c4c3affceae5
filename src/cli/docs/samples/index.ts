/** Samples of code for the operations of a contract. */
export { type CodeSample, createSamples, hasSample, type SampleOptions } from "./samples.js";
