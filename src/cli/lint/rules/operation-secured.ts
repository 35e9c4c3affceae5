import { joinPointer } from "tenon/core/document";
import type { Rule } from "../rule.js";

/**
 * Requires every operation to need a credential: its security, or the document's, has at least one alternative, and no alternative
 * is `{}`. The built-in `security-defined` accepts both `security: []` and `security: [{}]`.
 * @see https://spec.openapis.org/oas/v3.1.0#security-requirement-object
 */
export const operationSecured: Rule = ({ operations }, { report }) => {
  for (const { pointer, security, securityPointer } of operations) {
    const anonymous = security.findIndex((requirement) => Object.keys(requirement).length === 0);
    if (security.length > 0 && anonymous < 0) continue;

    const found = anonymous < 0 ? "no security" : "`{}`, which allows anonymous calls";
    const message = `Expected every alternative of the operation's security to name a security scheme; found ${found}.`;
    if (securityPointer !== joinPointer(pointer, "security")) report(pointer, message, { onKey: true });
    else report(`${pointer}/security${anonymous < 0 ? "" : `/${anonymous}`}`, message);
  }
};
