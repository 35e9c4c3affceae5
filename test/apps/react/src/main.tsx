import { type DehydratedState, hydrate } from "@tanstack/react-query";
import { createRoot, hydrateRoot } from "react-dom/client";
import { App, createQueryClient } from "./app.js";
import { connect } from "./services.js";

/** What the server has written into the page; it writes no data if it does not render. */
interface Start {
  readonly apiKey: string;
  readonly state?: DehydratedState;
}

const root = document.getElementById("root");
const text = document.getElementById("start")?.textContent;
if (root === null || text === undefined) throw new Error("The page has no start data");
const { apiKey, state } = JSON.parse(text) as Start;
const queries = createQueryClient();
const services = connect({ pets: "/v1", files: "/files/v1", apiKey });
const app = <App services={services} queries={queries} />;
if (state === undefined) createRoot(root).render(app);
else {
  hydrate(queries, state);
  hydrateRoot(root, app);
}
