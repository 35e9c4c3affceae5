/** What is printed. */
export const VERIFY_FORMATS = ["text", "json", "junit", "html"] as const;

export interface VerifyFlags {
  /** Where the service is. */
  readonly url: string;
  /** A file or URL. Default: the contract of redocly.yaml. */
  readonly contract?: string;
  /** Name of the API of redocly.yaml. Default: the only one. */
  readonly api?: string;
  /** Credentials by security scheme: `bearerAuth=KEY`. */
  readonly auth?: readonly string[];
  /** Sent with every request: `X-Tenant: 7`. */
  readonly header?: readonly string[];
  /** Operations to try. Default: all. */
  readonly operation?: readonly string[];
  /** Default: a new one for each run. */
  readonly seed?: number;
  /** Random requests for each operation and phase. Default: 25. */
  readonly runs?: number;
  /** Requests at most. Default: 5000. */
  readonly maxRequests?: number;
  /** Seconds at most. Default: 120. */
  readonly maxTime?: number;
  /** Requests a second at most. Default: as fast as the service answers. */
  readonly rate?: number;
  /** Seconds until an answer is late. Default: 10. */
  readonly timeout?: number;
  /** Default: text. */
  readonly format?: (typeof VERIFY_FORMATS)[number];
}
