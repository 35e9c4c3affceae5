import fc, { type Arbitrary } from "fast-check";

const split = (text: string): readonly string[] => text.split(" ");

/** The words of texts. */
const WORDS = split(
  "amber basket bright cedar cloud copper corner cotton delta early ember field forest garden gentle harbor hazel " +
    "island ivory kettle lantern lemon linen maple marble meadow mellow morning north olive orchard paper pepper " +
    "pine planet quiet rain river saffron silver simple stone summer sunny timber velvet walnut willow winter",
);

export const FIRST_NAMES = split(
  "Ada Amara Anton Ben Bruno Carla Chen Clara Diego Elena Elif Emil Farah Felix Grace Hana Hugo Ines Ivan Jonas " +
    "Kofi Lena Leo Lucia Luna Maja Marco Mia Milo Nadia Noah Nora Omar Otto Paula Priya Ravi Rosa Sami Sofia Tara " +
    "Theo Uma Vera Yara Yuki Zoe",
);

export const LAST_NAMES = split(
  "Adler Bauer Brown Castro Costa Diaz Evans Fischer Garcia Haas Ito Jensen Kaya Keller Khan Kim Kovacs Lind Lopez " +
    "Martin Meyer Moreau Nguyen Novak Okafor Patel Perez Rossi Santos Sato Silva Singh Smith Suzuki Weber Wong",
);

export const CITIES = split(
  "Accra Athens Bergen Bogota Boston Cairo Delhi Dublin Geneva Hanoi Helsinki Kyoto Lagos Lima Lisbon Lyon Madrid " +
    "Milan Nairobi Oslo Porto Prague Quito Rome Seoul Sydney Tallinn Turin Vienna Zurich",
);

export const COUNTRIES = split(
  "Brazil Canada Chile Egypt France Germany Ghana India Italy Japan Kenya Norway Peru Spain",
);

export const COLOURS = split(
  "amber black blue brown coral cyan green grey olive orange pink purple red teal white yellow",
);

export const word: Arbitrary<string> = fc.constantFrom(...WORDS);

/** Makes phrases: `Quiet river`. */
export function toPhrase(least: number, most: number): Arbitrary<string> {
  return fc.array(word, { minLength: least, maxLength: most }).map((words) => {
    const text = words.join(" ");
    return text.charAt(0).toUpperCase() + text.slice(1);
  });
}

export const sentence = toPhrase(5, 9).map((text) => `${text}.`);

/** `quiet-river-47`. */
export const slug = fc
  .tuple(word, word, fc.integer({ min: 1, max: 99 }))
  .map(([first, second, number]) => `${first}-${second}-${number}`);

/** A name in lower case without separators: `pet_id` and `petId` become the same. */
export function toPlain(name: string): string {
  return name.toLowerCase().replace(/[^a-z\d]/g, "");
}
