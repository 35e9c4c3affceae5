/** Reports of a result. */
export { toHtml } from "./html.js";
export { toJunit } from "./junit.js";
export { inOrder, toText } from "./text.js";
