/** Reports of the coverage of a contract. */
export { toHtml } from "./html.js";
export { type CoverageReport, createReport, printCoverage, readRecords } from "./report.js";
