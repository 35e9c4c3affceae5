/** Reports of the coverage of a contract. */
export { toHtml } from "./html.js";
export { readRecords } from "./read-records.js";
export { type CoverageReport, createReport } from "./report.js";
export { printCoverage } from "./text.js";
