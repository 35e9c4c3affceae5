import { toMediaKind } from "tenon/core/http/media-type";
import type { Draft } from "../draft.js";

/** A valid request whose body is not what its media type says, or is of one that the contract does not have. */
export function breakBody(draft: Draft): readonly Draft[] {
  const { shape, value, operation } = draft;
  const { mediaType } = shape;
  if (mediaType === undefined || value.body === undefined) return [];
  const break_ = (keyword: string, contentType: string, text: string): Draft => ({
    ...draft,
    expectation: "refused",
    wrong: { path: ["body"], keyword },
    raw: { contentType, text },
  });
  const isJson = toMediaKind(mediaType) === "json";
  const declared = operation.body?.content.map((content) => content.mediaType) ?? [];
  const other = "application/x-surely-not-declared";
  const isOpen = declared.some((name) => name.includes("*"));
  const text = isJson ? JSON.stringify(value.body) : "surely=not";
  return [
    ...(isJson ? [break_("malformed JSON", mediaType, `${text.slice(0, -1) || "{"},,`)] : []),
    ...(isOpen ? [] : [break_("undeclared media type", other, text)]),
  ];
}
