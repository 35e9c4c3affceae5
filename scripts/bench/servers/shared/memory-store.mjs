import { generateKeyId, toKeyHash } from "../../../../dist/src/petstore/keys/key.js";
import { toSeed } from "./seed.mjs";

/** Animals that are there from the start, by `id` - 1. */
const SEEDED = 1_000;
/** How many created animals are kept: the newest ones, so that a fast server does not have to hold more than a slow one. */
const CREATED = 1_000;

/**
 * A store like the service's own, without the database: what is left is the work of the framework.
 * @param key The only valid API key.
 */
export function createMemoryStore(key) {
  const seeded = Array.from({ length: SEEDED }, (_, index) => ({ id: index + 1, ...toSeed(index) }));
  const created = new Array(CREATED);
  let lastId = SEEDED;
  const hash = toKeyHash(key);
  const record = { id: generateKeyId(), name: "bench", createdAt: new Date(), hash };
  const hashText = Buffer.from(hash).toString("latin1");
  const keys = new Map([[hashText, record]]);

  return {
    pets: {
      async create(pet) {
        const kept = { id: ++lastId, ...pet };
        created[kept.id % CREATED] = kept;
        return kept;
      },
      async get(id) {
        if (id <= SEEDED) return seeded[id - 1];
        const pet = created[id % CREATED];
        return pet?.id === id ? pet : undefined;
      },
      async list({ limit, status, after = 0 }) {
        const pets = [];
        for (let index = after; index < seeded.length; index++) {
          const pet = seeded[index];
          if (status !== undefined && pet.status !== status) continue;
          if (pets.length === limit) return { pets, next: pets[limit - 1].id };
          pets.push(pet);
        }
        return { pets };
      },
    },
    keys: { findByHash: async (sought) => keys.get(Buffer.from(sought).toString("latin1")) },
    ping: async () => undefined,
    close: async () => undefined,
  };
}
