import type { Request } from "express";
import type { CredentialSource } from "../security/credentials.js";
import { type Pairs, parseCookies } from "../../core/parameters/pairs.js";
import type { RawRequest } from "../parameters/read-parameters.js";

/** The source of parameters and credentials. Expensive parts are computed on access. */
export class RequestSource implements RawRequest, CredentialSource {
  constructor(
    readonly request: Request,
    readonly path: Readonly<Record<string, string>>,
    readonly query: Pairs,
    /** The query as it was sent, without `?`. */
    readonly search: string,
  ) {}

  get cookies(): Pairs {
    return parseCookies(this.request.headers.cookie);
  }

  lines(name: string): readonly string[] | undefined {
    const { rawHeaders } = this.request;
    let found: string[] | undefined;
    // Names and values in turn, as they were sent; Node joins or drops repetitions in `headers`.
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const sent = rawHeaders[index] ?? "";
      if (sent.length !== name.length || sent.toLowerCase() !== name) continue;
      (found ??= []).push(rawHeaders[index + 1] ?? "");
    }
    return found;
  }
}
