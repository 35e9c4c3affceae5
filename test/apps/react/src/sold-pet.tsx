import useSWR from "swr";
import { swr } from "tenon/query";
import { listPets } from "../../../../generated/v1/client.js";
import { useServices } from "./services.js";

/** The first pet that was sold, by SWR, which an app can use instead of TanStack Query. */
export function SoldPet() {
  const { pets } = useServices();
  const { data } = useSWR(...swr(pets, listPets, { query: { status: "sold", limit: 1 } }));
  return <p>First sold: {data?.[0]?.name ?? "…"}</p>;
}
