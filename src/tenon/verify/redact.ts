import { type Credentials, toVariable } from "./http/credentials.js";

/** Shorter ones are in any text by chance. */
const LEAST = 6;

/** Returns a function that puts placeholders where a text has credentials, as an answer may that repeats its request. */
export function createRedact({ keys, headers }: Credentials): (text: string) => string {
  const secrets = [
    ...[...keys].map(([scheme, key]) => [key, `$${toVariable(scheme)}`] as const),
    ...headers.map(
      ([name, value]) => [value, `$${name.toUpperCase().replaceAll(/[^A-Z\d]+/g, "_")}`] as const,
    ),
  ].flatMap(([secret, shown]) =>
    // Of basic authentication, name and password; of a header, what follows the scheme.
    [
      secret,
      ...secret.split(/[:\s]/),
      Buffer.from(secret).toString("base64"),
      encodeURIComponent(secret),
    ].map((form) => [form, shown] as const),
  );
  const forms = secrets.filter(([form]) => form.length >= LEAST).sort(([a], [b]) => b.length - a.length);
  return (text) => forms.reduce((redacted, [form, shown]) => redacted.replaceAll(form, () => shown), text);
}
