/** Formats a diff for people and for other tools. */
export { toGithub } from "./github.js";
export { toNotes, toOtherNotes } from "./impact-notes.js";
export { findSilent, showClients, showImpact, showPlace } from "./impact-words.js";
export { toJunit } from "./junit.js";
export { toMarkdown } from "./markdown.js";
export { showCounts, showVersion } from "./summary.js";
export { toPlain, writeText } from "./text.js";
