/** Formats a diff for people and for other tools. */
export { toGithub } from "./github.js";
export {
  findSilent,
  showClients,
  showConsequences,
  showPlace,
  takeFirst,
  toNotes,
  toOtherNotes,
} from "./impact.js";
export { toJunit } from "./junit.js";
export { toMarkdown } from "./markdown.js";
export { showCounts, showImpact, showKinds, showPolicy, showUncompared, showVersion } from "./summary.js";
export { writeText } from "./text.js";
