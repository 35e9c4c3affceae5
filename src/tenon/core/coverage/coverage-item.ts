export const COVERAGE_KINDS = [
  "response",
  "response media type",
  "response header",
  "response value",
  "request media type",
  "parameter",
  "request value",
] as const;

export type CoverageKind = (typeof COVERAGE_KINDS)[number];

/** One part of a contract that a request or response can cover. */
export interface CoverageItem {
  /** Identifier. It stays the same as long as the contract declares the item in the same place. */
  readonly id: string;
  readonly kind: CoverageKind;
  /** `listPets: 401`, `"sold"`. */
  readonly title: string;
  /** Pointer of its declaration in the contract. */
  readonly pointer: string;
}

/** Receives each item that is found, some more than once. */
export type Found = (item: CoverageItem) => void;
