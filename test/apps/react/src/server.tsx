import { dehydrate } from "@tanstack/react-query";
import { renderToString } from "react-dom/server";
import { App, createQueryClient } from "./app.js";
import { petList } from "./pets.js";
import { type Addresses, connect } from "./services.js";

/** Renders the page with its first pets. The browser gets them as data too, and does not ask for them again. */
export async function render(
  addresses: Addresses,
): Promise<{ readonly html: string; readonly state: unknown }> {
  const services = connect(addresses);
  const queries = createQueryClient();
  await queries.infiniteQuery(petList(services.pets, undefined));
  const html = renderToString(<App services={services} queries={queries} />);
  const state = dehydrate(queries);
  queries.clear();
  return { html, state };
}
