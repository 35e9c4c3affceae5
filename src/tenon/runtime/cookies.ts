import { parse } from "cookie";

/** Cookies by name, decoded; none when the header is absent. */
export function parseCookies(header: string | undefined): Readonly<Record<string, string | undefined>> {
  return header === undefined ? {} : parse(header);
}
