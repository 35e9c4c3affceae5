import { getByPointer, getValue, isNode } from "tenon/core/document";
import { MAX_DESCRIPTION, SETTINGS, TOOL_NAME } from "tenon/mcp/internal";
import type { Rule, RuleContext } from "../rule.js";

/**
 * Checks `x-mcp`, which makes an operation a tool for agents: its members and their types, a name that every client accepts and no other
 * tool has, and a description of a length that models read.
 */
export const toolDeclared: Rule = ({ operations, registry }, { report }) => {
  const named = new Map<string, string>();
  for (const { id, pointer, summary, description } of operations) {
    const stated = getValue(getByPointer(registry.document, pointer), "x-mcp");
    if (stated === undefined || stated === false) continue;
    const place = `${pointer}/x-mcp`;
    if (stated !== true && !isNode(stated)) {
      report(place, `Expected \`x-mcp\` to be true, false or an object; found ${JSON.stringify(stated)}.`);
      continue;
    }
    const settings = stated === true ? {} : stated;
    reportMembers(settings, place, report);
    const { name = id, description: own = description ?? summary } = settings;
    const namePlace = settings["name"] === undefined ? place : `${place}/name`;
    if (typeof name === "string") {
      const other = named.get(name);
      if (!TOOL_NAME.test(name))
        report(
          namePlace,
          `Expected a tool's name to be 1 to 64 letters, digits, \`_\` and \`-\` that start with a letter or \`_\`; found ${JSON.stringify(name)}.`,
        );
      else if (other !== undefined)
        report(namePlace, `Expected a name that no other tool has; "${name}" is also that of ${other}.`);
      named.set(name, id);
    }
    if (own === undefined || own === "")
      report(place, "Expected a description of the tool: models choose tools by it. Add a summary.");
    else if (typeof settings["description"] === "string" && settings["description"].length > MAX_DESCRIPTION)
      report(
        `${place}/description`,
        `Expected at most ${MAX_DESCRIPTION} characters; found ${settings["description"].length}. The rest is left out.`,
      );
  }
};

function reportMembers(
  settings: Readonly<Record<string, unknown>>,
  place: string,
  report: RuleContext["report"],
): void {
  for (const [name, value] of Object.entries(settings)) {
    const expected = Object.hasOwn(SETTINGS, name) ? SETTINGS[name as keyof typeof SETTINGS] : undefined;
    if (expected === undefined)
      report(
        `${place}/${name}`,
        `\`x-mcp\` has no member \`${name}\`. It has ${Object.keys(SETTINGS).join(", ")}.`,
        {
          onKey: true,
        },
      );
    else if (typeof value !== expected)
      report(`${place}/${name}`, `Expected \`${name}\` to be a ${expected}; found ${JSON.stringify(value)}.`);
  }
}
