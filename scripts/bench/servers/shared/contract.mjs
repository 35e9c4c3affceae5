import { readFileSync } from "node:fs";

const file = new URL("../../../../dist/generated/v1/contract.json", import.meta.url);

/** The bundled contract, for whoever reads one at run time; at the address that is left of a server's variables. */
export const contract = { ...JSON.parse(readFileSync(file, "utf8")), servers: [{ url: "/v1" }] };
