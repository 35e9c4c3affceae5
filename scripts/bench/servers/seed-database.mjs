// Makes the database that every server gets a copy of: `node seed-database.mjs FILE` prints the API key that is in it.
import { Keys } from "../../../dist/src/petstore/keys/keys.js";
import { openStore } from "../../../dist/src/petstore/store/open.js";
import { toSeed } from "./shared/seed.mjs";

const store = await openStore(`sqlite:${process.argv[2]}`);
const { key } = await new Keys(store.keys).issue({ name: "bench" });
await Promise.all(Array.from({ length: 1_000 }, (_, index) => store.pets.create(toSeed(index))));
await store.close();
console.log(key);
