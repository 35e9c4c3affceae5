import fc, { type Arbitrary } from "fast-check";
import { email, FORMATS, instant, person, phone, toHex, url } from "./formats.js";
import {
  CITIES,
  COLOURS,
  COUNTRIES,
  FIRST_NAMES,
  LAST_NAMES,
  sentence,
  slug,
  toPhrase,
  toPlain,
  word,
} from "./words.js";

const of = (...values: readonly string[]): Arbitrary<string> => fc.constantFrom(...values);

/** Values by the name of their property; the first match wins. Names are in lower case, without separators: `firstname`. */
const HINTS: readonly (readonly [RegExp, Arbitrary<string>])[] = [
  [/email|mailaddress/, email],
  [/^(?:first|given|nick)name$/, of(...FIRST_NAMES)],
  [/^(?:last|family|sur)name$/, of(...LAST_NAMES)],
  [
    /^(?:full|display|real|user|customer|owner|contact|author)name$|^(?:author|owner|contact)$/,
    person.map((names) => names.join(" ")),
  ],
  [/^(?:login|username|handle|nick)$/, person.map(([first, last]) => `${first}${last}`.toLowerCase())],
  [/^name$/, of(...FIRST_NAMES)],
  [/ur[il]$|^(?:website|homepage|link|href|avatar|image|photo|picture|icon|logo)$/, url],
  [/phone|^(?:mobile|fax|tel)$/, phone],
  [/^(?:city|town)$/, of(...CITIES)],
  [/^countrycode$/, of("BR", "CA", "DE", "FR", "GB", "IN", "IT", "JP", "KE", "US")],
  [/^country$/, of(...COUNTRIES)],
  [
    /^(?:street|address|addressline\d?|street\d?)$/,
    fc
      .tuple(toPhrase(1, 1), fc.integer({ min: 1, max: 199 }))
      .map(([name, number]) => `${number} ${name} Street`),
  ],
  [/^(?:zip|zipcode|postcode|postalcode)$/, fc.integer({ min: 10_000, max: 99_999 }).map(String)],
  [/^currency(?:code)?$/, of("EUR", "GBP", "JPY", "USD")],
  [/^(?:language|locale|lang)(?:code)?$/, of("de", "en", "es", "fr", "it", "ja", "pt")],
  [/timezone$/, of("Africa/Nairobi", "America/New_York", "Asia/Tokyo", "Europe/Berlin")],
  [/colou?r$/, of(...COLOURS)],
  [
    /version$/,
    fc
      .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 9 }))
      .map(([major, minor]) => `${major}.${minor}.0`),
  ],
  // An entity tag is quoted (RFC 9110, section 8.8.3).
  [/^etag$/, toHex(8).map((text) => `"${text}"`)],
  [/^(?:sha|commit|hash|digest|checksum)$|sha$/, toHex(40)],
  [
    /(?:description|comment|message|summary|body|bio|note|notes|text|content|detail|details|reason)$/,
    sentence,
  ],
  [/^(?:title|headline|subject|label)$|title$/, toPhrase(2, 4)],
  [
    /company|organi[sz]ation|employer/,
    fc.tuple(of(...LAST_NAMES), word).map(([name, what]) => `${name} ${what} Ltd`),
  ],
  [/(?:slug|key|path|file|filename)$/, slug],
  [/uuid|guid/, FORMATS.get("uuid") ?? slug],
  [/token|secret|cursor/, toHex(32)],
  [/(?:id|ids|ref)$/, toHex(12)],
  [/(?:date|day)$/, instant.map((text) => text.slice(0, 10))],
];

/** `createdAt`, `created_at` and `startTime`, and not `format`. */
const INSTANT = /(?:[a-z]At|_at|[a-z]On|_on|[tT]ime|[tT]imestamp)$/;

/** Finds values for a property's name, as the contract writes it: `firstName`. @returns undefined for an unknown name. */
export function findByName(name: string): Arbitrary<string> | undefined {
  const plain = toPlain(name);
  return HINTS.find(([pattern]) => pattern.test(plain))?.[1] ?? (INSTANT.test(name) ? instant : undefined);
}
