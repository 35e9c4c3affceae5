import { timingSafeEqual } from "node:crypto";

/**
 * The signed parts of a webhook.
 * @example
 * const message: SignedMessage = { id: "msg_1", timestamp: 1_700_000_000, body: Buffer.from("{}") };
 * const headers = standardWebhooks("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").sign(message);
 */
export interface SignedMessage {
  /** The same for every attempt to deliver an event. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  /** The bytes that are sent. */
  readonly body: Uint8Array;
}

/**
 * A received webhook whose signature is verified.
 * @example
 * const incoming: SignedRequest = { body: Buffer.from("{}"), header: (name) => request.get(name) };
 */
export interface SignedRequest {
  /** The bytes that were received. */
  readonly body: Uint8Array;
  /** Returns the value of a header, by its name in any case. */
  readonly header: (name: string) => string | undefined;
}

/**
 * The reason why a webhook was refused, for logs. Senders only get 401.
 * @example
 * const reason: RefusalReason = "timestamp";
 */
export type RefusalReason =
  /** A header of the signature is missing or invalid. */
  | "header"
  /** No secret made the signature. */
  | "signature"
  /** The timestamp is outside the replay window. */
  | "timestamp";

/**
 * The facts that a valid signature proves.
 * @example
 * const verified: VerifiedMessage = { id: "msg_1", timestamp: 1_700_000_000 };
 */
export interface VerifiedMessage {
  /** Identifies the event. Undefined if the scheme has no id. */
  readonly id?: string | undefined;
  /** Seconds since 1970. Undefined if the scheme does not sign the time. */
  readonly timestamp?: number | undefined;
}

/**
 * Signs and verifies webhooks. It contains the secrets, so do not log it.
 * @example
 * const scheme: SignatureScheme = standardWebhooks("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
 */
export interface SignatureScheme {
  /** Names of the headers that {@link sign} returns, in lower case. */
  readonly headers: readonly string[];
  /** Returns the headers to send. */
  sign(message: SignedMessage): Readonly<Record<string, string>>;
  /** Verifies a signature. The time is not compared. */
  verify(request: SignedRequest): VerifiedMessage | RefusalReason;
}

/** Maximum number of signatures in a request; further ones are ignored. Rotation needs two. */
export const MOST_SIGNATURES = 10;

/** Maximum length of an id, which receivers remember. */
const MOST_ID_CHARACTERS = 256;

/**
 * Tests whether an id can be signed. The parts of the signed text are joined with dots: with a dot in the id, a signature would fit
 * another division of the same text.
 */
export function isMessageId(id: string | undefined): id is string {
  return id !== undefined && id.length <= MOST_ID_CHARACTERS && /^[\x21-\x2d\x2f-\x7e]+$/.test(id);
}

/** Reads a timestamp in seconds; undefined for anything else. */
export function readTimestamp(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,11}$/.test(text) ? Number(text) : undefined;
}

/** Tests whether one of the signatures is one of the expected ones. All are compared, each in constant time. */
export function hasEqual(found: readonly Uint8Array[], expected: readonly Uint8Array[]): boolean {
  let isEqual = false;
  for (const one of found)
    for (const other of expected)
      if (one.byteLength === other.byteLength && timingSafeEqual(one, other)) isEqual = true;
  return isEqual;
}

/** Makes a list of one or more secrets. @throws {TypeError} if there are none. */
export function toSecrets<Secret>(secrets: Secret | readonly Secret[]): readonly [Secret, ...Secret[]] {
  const [first, ...rest] = Array.isArray(secrets) ? (secrets as readonly Secret[]) : [secrets as Secret];
  if (first === undefined || first === "") throw new TypeError("The signature scheme needs a secret");
  return [first, ...rest];
}
