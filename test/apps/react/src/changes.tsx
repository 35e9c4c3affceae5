import { experimental_streamedQuery as streamedQuery, useQuery } from "@tanstack/react-query";
import { queryKey } from "tenon/query";
import { listChanges } from "../../../fixtures/streams/generated/client.js";
import { useServices } from "./services.js";

/** The live changes. The client goes on after the last event if the connection breaks. */
export function Changes() {
  const { files } = useServices();
  const { data = [] } = useQuery({
    queryKey: queryKey(listChanges),
    queryFn: streamedQuery({ streamFn: ({ signal }) => listChanges(files, { signal }).orThrow() }),
    staleTime: Infinity,
  });
  return (
    <ol aria-label="Changes">
      {data.map(({ id, data: { note } }) => (
        <li key={id}>{note}</li>
      ))}
    </ol>
  );
}
