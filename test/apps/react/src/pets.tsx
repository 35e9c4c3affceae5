import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { BareClient } from "tenon/client";
import { infiniteQueryOptions } from "tenon/query";
import { listPets } from "../../../../generated/v1/client.js";
import { useServices } from "./services.js";

export type Filter = "available" | undefined;

/** The list, for those who show it and those who change it. */
export function petList(client: BareClient, filter: Filter) {
  return infiniteQueryOptions(client, listPets, { query: { limit: 20, ...(filter && { status: filter }) } });
}

/** All pets: the next page is read when the end of the list comes into view. */
export function Pets({ filter }: { readonly filter: Filter }) {
  const { pets } = useServices();
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useSuspenseInfiniteQuery(
    petList(pets, filter),
  );
  const end = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (end.current === null || !hasNextPage || isFetchingNextPage) return;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting === true) void fetchNextPage();
    });
    observer.observe(end.current);
    return () => {
      observer.disconnect();
    };
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return (
    <>
      <ul aria-label="Pets" style={{ lineHeight: "3rem" }}>
        {data.pages
          .flatMap((page) => page.data)
          .map(({ id, name }) => (
            <li key={id} aria-busy={id < 0}>
              {name}
            </li>
          ))}
      </ul>
      <p ref={end}>{hasNextPage ? "More…" : "That is all."}</p>
      {listPets.isError(error) && <p role="alert">{error.body.message}</p>}
    </>
  );
}
