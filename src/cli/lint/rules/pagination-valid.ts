import { joinPointer } from "tenon/core/document";
import { findPagination } from "tenon/core/model";
import type { Rule } from "../rule.js";

/** Requires `x-pagination` to lead to the items and the next page of the operation's successful responses; clients read both. */
export const paginationValid: Rule = (contract, { report }) => {
  for (const operation of contract.operations) {
    for (const { member, message } of findPagination(operation, contract).problems) {
      const keys = member === undefined ? [] : [member];
      report(joinPointer(operation.pointer, "x-pagination", ...keys), message, {
        onKey: member === undefined,
      });
    }
  }
};
