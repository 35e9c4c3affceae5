/** Output formats. */
export const VERIFY_FORMATS = ["text", "json", "junit", "html"] as const;

export interface VerifyFlags {
  /** Address of the service. */
  readonly url: string;
  /** A file or URL. Default: the contract of redocly.yaml. */
  readonly contract?: string;
  /** Name of the API of redocly.yaml. Default: the only one. */
  readonly api?: string;
  /** Credentials by security scheme: `bearerAuth=KEY`. */
  readonly auth?: readonly string[];
  /** Headers to send with every request: `X-Tenant: 7`. */
  readonly header?: readonly string[];
  /** Operations to test. Default: all. */
  readonly operation?: readonly string[];
  /** Default: a new one for each run. */
  readonly seed?: number;
  /** Random requests for each operation and phase. Default: 25. */
  readonly runs?: number;
  /** Maximum number of requests. Default: 5000. */
  readonly maxRequests?: number;
  /** Maximum time in seconds. Default: 120. */
  readonly maxTime?: number;
  /** Maximum number of requests per second. Default: as fast as the service responds. */
  readonly rate?: number;
  /** Seconds to wait for a response. Default: 10. */
  readonly timeout?: number;
  /** Default: text. */
  readonly format?: (typeof VERIFY_FORMATS)[number];
}
