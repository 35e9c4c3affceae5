import { basePath, type Handlers, type PetStatus } from "../../../generated/v1/server.js";
import { decodeCursor, encodeCursor } from "./cursor.js";
import type { KeyPrincipal } from "../keys/keys.js";
import type { Store } from "../store/store.js";

/** Context that every handler receives besides the request. */
export interface HandlerContext {
  readonly store: Store;
}

/** The caller, by security scheme of the contract. */
export interface ServicePrincipals {
  readonly bearerAuth: KeyPrincipal;
}

/** Handlers of the operations with the tag `pets`. */
export const pets: Handlers<HandlerContext, ServicePrincipals> = {
  async listPets({ query: { limit, status, cursor } }, reply, { store }) {
    const after = cursor === undefined ? undefined : decodeCursor(cursor);
    if (cursor !== undefined && after === undefined) {
      const message = 'Query parameter "cursor" must come from a Link header of this service';
      return reply[400]({ code: "invalid_parameter", message, status: 400 });
    }
    const page = await store.pets.list({ limit, status, after });
    if (page.next === undefined) return reply[200](page.pets);
    return reply[200](page.pets, { headers: { Link: nextPage(limit, status, page.next) } });
  },

  async createPet({ headers, body: { name, categoryId, status } }, reply, { store, auth }) {
    const pet = { name, categoryId, ...(status !== undefined && { status }) };
    const key = headers["idempotency-key"];
    if (key === undefined) return reply[201](await store.pets.create(pet));
    const created = await store.pets.createOnce(pet, { caller: auth.bearerAuth.id, key });
    if (created === undefined) {
      const message = "This Idempotency-Key was used before with a different body";
      return reply[422]({ code: "idempotency_key_reused", message, status: 422 });
    }
    return reply[201](created.pet, created.isReplay ? { headers: { "Idempotent-Replayed": true } } : {});
  },

  async getPet({ path: { petId } }, reply, { store }) {
    const pet = await store.pets.get(petId);
    if (pet !== undefined) return reply[200](pet);
    return reply[404]({ code: "pet_not_found", message: `No pet has the id ${petId}`, status: 404 });
  },
};

/** Formats the `Link` header of the next page (RFC 8288), with the same filter. */
function nextPage(limit: number, status: PetStatus | undefined, after: number): string {
  const filter = status === undefined ? "" : `&status=${encodeURIComponent(status)}`;
  return `<${basePath}/pets?limit=${limit}${filter}&cursor=${encodeCursor(after)}>; rel="next"`;
}
