import { type Located, type Report, toText } from "./document.js";
import { joinPointer } from "../document/pointer.js";

/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;

/** Warns of a header parameter or an API key whose name cannot be that of a header. */
export function reportHeaderName({ node, pointer }: Located, what: string, report: Report): void {
  const name = toText(node["name"]);
  if (node["in"] !== "header" || name === undefined || TOKEN.test(name)) return;
  report(
    "header-name",
    joinPointer(pointer, "name"),
    `HTTP has no header called "${name}": ${what} cannot be sent`,
  );
}
