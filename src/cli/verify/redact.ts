import { type Credentials, toHeaderVariable, toVariable } from "./http/credentials.js";

/** Shorter ones are in any text by chance. */
const LEAST = 4;

/** Returns a function that puts placeholders where a text has credentials, as an answer may that repeats its request. */
export function createRedact({ keys, headers }: Credentials): (text: string) => string {
  const secrets = [
    ...[...keys].map(([scheme, key]) => [key, `$${toVariable(scheme)}`] as const),
    ...headers.map(([name, value]) => [value, `$${toHeaderVariable(name)}`] as const),
  ].flatMap(([secret, shown]) =>
    // Of basic authentication, name and password; of a header, what follows the scheme.
    [
      secret,
      ...secret.split(/[:\s]/),
      Buffer.from(secret).toString("base64"),
      encodeURIComponent(secret),
    ].map((form) => [form, shown] as const),
  );
  const isSecret = (form: string) => form.length >= LEAST && !/^(?:basic|bearer)$/i.test(form);
  const forms = secrets.filter(([form]) => isSecret(form)).sort(([a], [b]) => b.length - a.length);
  return (text) => forms.reduce((redacted, [form, shown]) => redacted.replaceAll(form, () => shown), text);
}
