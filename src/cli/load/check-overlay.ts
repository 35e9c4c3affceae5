import type { Document } from "@redocly/openapi-core";
import { createProblem, getOwn, isNode, joinPointer, type Problem, toArray } from "tenon/core/document";
import { toPosition } from "./locate.js";
import { toHint } from "../output/nearest.js";

/** Types of members, and the required ones. A member `x-` can be anything. */
const OVERLAY = { overlay: "string", info: "object", extends: "string", actions: "array" };
const INFO = { title: "string", version: "string", description: "string" };
const ACTION = { target: "string", description: "string", update: "any", copy: "string", remove: "boolean" };

/**
 * Finds what makes a document no overlay of version 1.0 or 1.1.
 * @see https://spec.openapis.org/overlay/v1.1.0
 */
export function checkOverlay({ source, parsed }: Document): Problem[] {
  const problems: Problem[] = [];
  const report = (pointer: string, message: string, hint?: string) => {
    const position = toPosition({ source, pointer, reportOnKey: hint !== undefined });
    problems.push(createProblem("overlay-invalid", message, position, hint));
  };
  const checkMembers = (
    node: unknown,
    pointer: string,
    members: Readonly<Record<string, string>>,
    ...required: readonly string[]
  ) => {
    if (!isNode(node)) return;
    for (const [key, value] of Object.entries(node)) {
      const type = getOwn(members, key);
      const at = joinPointer(pointer, key);
      if (type === undefined && !key.startsWith("x-"))
        report(at, `Unknown member "${key}"`, toHint(key, Object.keys(members)).hint ?? "");
      else if (type !== undefined && type !== "any" && type !== toType(value))
        report(at, `\`${key}\` must be ${/^[ao]/.test(type) ? "an" : "a"} ${type}`);
    }
    for (const key of required) if (!Object.hasOwn(node, key)) report(pointer, `\`${key}\` is missing`);
  };
  if (!isNode(parsed)) {
    report("#/", "An overlay must be an object");
    return problems;
  }
  checkMembers(parsed, "#", OVERLAY, "overlay", "info", "actions");
  const { overlay, info, actions } = parsed;
  if (typeof overlay === "string" && !/^1\.[01]\.\d+$/.test(overlay))
    report("#/overlay", `\`overlay\` must be 1.0.0 or 1.1.0, found ${overlay}`);
  checkMembers(info, "#/info", INFO, "title", "version");
  if (Array.isArray(actions) && actions.length === 0) report("#/actions", "`actions` must not be empty");
  const seen = new Set<string>();
  for (const [index, action] of toArray(actions).entries()) {
    const pointer = joinPointer("#", "actions", index);
    if (!isNode(action)) report(pointer, "An action must be an object");
    checkMembers(action, pointer, ACTION, "target");
    if (seen.size === seen.add(JSON.stringify(action)).size) report(pointer, "The same action is above");
  }
  return problems;
}

function toType(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return isNode(value) ? "object" : typeof value;
}
