import type { Request } from "express";
import { HttpError } from "../../runtime/errors/http-error.js";
import type { ReceiverOptions } from "./receiver.js";
import type { VerifiedMessage } from "../signatures/signature.js";
import { standardWebhooks } from "../signatures/standard-webhooks.js";

/** @returns a function that throws 401 for a request whose signature or time is not valid. */
export function createVerification(
  { secret, signature, tolerance = 300_000, onRefused }: ReceiverOptions,
  now: () => number,
): (request: Request, body: Buffer) => VerifiedMessage {
  if ((secret === undefined) === (signature === undefined))
    throw new TypeError("Set one of `secret` and `signature`");
  if (signature === "none") return () => ({});
  const scheme = signature ?? standardWebhooks(secret ?? []);
  return (request, body) => {
    const verified = scheme.verify({ body, header: (name) => request.get(name) });
    const isLate = (timestamp: number) => Math.abs(now() - timestamp * 1_000) > tolerance;
    const reason =
      typeof verified === "string"
        ? verified
        : verified.timestamp !== undefined && isLate(verified.timestamp)
          ? "timestamp"
          : undefined;
    if (reason === undefined && typeof verified !== "string") return verified;
    onRefused?.({ reason: reason ?? "signature", request });
    // The reason would show an attacker which part of a forgery is right.
    throw HttpError.refusal("unauthorized", {
      message: "The signature of the webhook is missing or invalid",
    });
  };
}
