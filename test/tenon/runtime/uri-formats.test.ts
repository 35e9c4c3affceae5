import { expect, test } from "@jest/globals";
import { generate } from "./agreement.js";
import { accepted } from "../../support/accepted.js";

const FORMATS = ["uri", "uri-reference"] as const;

const { operations } = generate(
  Object.fromEntries(
    FORMATS.map((format) => [
      `/${format}`,
      {
        post: {
          requestBody: { required: true, content: { "application/json": { schema: { format } } } },
          responses: {},
        },
      },
    ]),
  ),
);

function isAccepted(format: (typeof FORMATS)[number], body: string): boolean {
  const operation = operations[FORMATS.indexOf(format)];
  try {
    accepted(operation?.validator.request({ parameters: {}, mediaType: "application/json", body }));
    return true;
  } catch {
    return false;
  }
}

// The examples of RFC 3986, section 1.1.2, and the shapes of its grammar.
const URIS = [
  ...["ftp://ftp.is.co.za/rfc/rfc1808.txt", "http://www.ietf.org/rfc/rfc2396.txt", "tel:+1-816-555-1212"],
  ...["ldap://[2001:db8::7]/c=GB?objectClass?one", "mailto:John.Doe@example.com", "news:comp.lang"],
  ...["telnet://192.0.2.16:80/", "urn:oasis:names:specification:docbook:dtd:xml:4.1.2"],
  ...["http://[::1]", "http://[v7.a:b]/", "http://user:word@host:8080/a?b#c", "http://host:", "file:///a"],
  ...["http:///a", "a:", "a:b", "a://", "http://a/%C3%BC?x=/?#/?", "http://999.999.999.999/"],
];

const REFERENCES = ["", "a", "/a/b", "//host/a", "?q", "#f", "a/b:c", "./b:c", "../..", "%41"];

const NEITHER = [
  ...["http://[::1", "http://::1]", "http://[zz]/", "http://[fe80::1%25eth0]/", "http://%zz", "a:%4"],
  ...["http://a b", "http://host:80a", "http://a@b@c", "1a:b", ":a", "a:\u00fc", "http://a/\u0000", "a:\\b"],
  ...["http://[v.a]/", "http://[]/", "a:b#c#d", "http://a/\n", "a:<b>", 'a:"', "a:{b}", "a:|", "a:^", "a:`"],
];

test.each(URIS)("%j is a URI", (text) => {
  expect(isAccepted("uri", text)).toBe(true);
  expect(isAccepted("uri-reference", text)).toBe(true);
});

test.each(REFERENCES)("%j is a relative reference, but not a URI", (text) => {
  expect(isAccepted("uri", text)).toBe(false);
  expect(isAccepted("uri-reference", text)).toBe(true);
});

test.each(NEITHER)("%j is no URI reference", (text) => {
  expect(isAccepted("uri", text)).toBe(false);
  expect(isAccepted("uri-reference", text)).toBe(false);
});

/** The grammar of RFC 3986, appendix A, rule by rule; IPv6 addresses are too long for these texts. */
function createGrammar(): RegExp {
  const pchar = "(?:[a-z\\d._~!$&'()*+,;=:@-]|%[\\da-f]{2})";
  const noColon = "(?:[a-z\\d._~!$&'()*+,;=@-]|%[\\da-f]{2})";
  const name = "(?:[a-z\\d._~!$&'()*+,;=-]|%[\\da-f]{2})";
  const authority = `(?:(?:${name}|:)*@)?${name}*(?::\\d*)?`;
  const paths = { empty: `(?:/${pchar}*)*`, absolute: `/(?:${pchar}+(?:/${pchar}*)*)?` };
  const shared = [`//${authority}${paths.empty}`, paths.absolute];
  const hier = [...shared, `${pchar}+(?:/${pchar}*)*`, ""].join("|");
  const relative = [...shared, `${noColon}+(?:/${pchar}*)*`, ""].join("|");
  const rest = `(?:\\?(?:${pchar}|[/?])*)?(?:#(?:${pchar}|[/?])*)?`;
  return new RegExp(`^(?:[a-z][a-z\\d+.-]*:(?:${hier})|(?:${relative}))${rest}$`, "i");
}

test("short texts are judged as by the grammar", () => {
  const grammar = createGrammar();
  const letters = ["a", ":", "/", "?", "#", "@", "%", "4", "1", "-"];
  let texts = [""];
  const wrong: string[] = [];
  for (let length = 1; length <= 5; length += 1) {
    texts = texts.flatMap((text) => letters.map((letter) => text + letter));
    for (const text of texts) if (isAccepted("uri-reference", text) !== grammar.test(text)) wrong.push(text);
  }
  expect(wrong).toEqual([]);
});
