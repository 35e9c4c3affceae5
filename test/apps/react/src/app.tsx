import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode, Suspense, useState } from "react";
import { Changes } from "./changes.js";
import { CreatePet } from "./create-pet.js";
import { Pets } from "./pets.js";
import { type Services, ServicesContext } from "./services.js";
import { SoldPet } from "./sold-pet.js";
import { Upload } from "./upload.js";

/** The client repeats calls itself, and knows which: TanStack Query must not repeat its repetitions. */
export function createQueryClient(): QueryClient {
  return new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 60_000 } } });
}

export function App({ services, queries }: { readonly services: Services; readonly queries: QueryClient }) {
  const [status, setStatus] = useState<"available" | undefined>();
  return (
    <StrictMode>
      <ServicesContext value={services}>
        <QueryClientProvider client={queries}>
          <h1>Pets</h1>
          <CreatePet filter={status} />
          <label>
            <input
              type="checkbox"
              checked={status !== undefined}
              onChange={({ target }) => {
                setStatus(target.checked ? "available" : undefined);
              }}
            />
            Only available
          </label>
          <Suspense fallback={<p role="status">Loading…</p>}>
            <Pets filter={status} />
          </Suspense>
          <SoldPet />
          <Upload />
          <Changes />
        </QueryClientProvider>
      </ServicesContext>
    </StrictMode>
  );
}
