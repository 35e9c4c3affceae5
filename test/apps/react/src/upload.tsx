import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { fetchWithProgress } from "tenon/client";
import { mutationOptions } from "tenon/query";
import { addAttachment } from "../../../fixtures/streams/generated/client.js";
import { useServices } from "./services.js";

/** Uploads a file, with its progress and a button that ends it. */
export function Upload() {
  const { files } = useServices();
  const upload = useMutation(mutationOptions(files, addAttachment));
  const [share, setShare] = useState(0);
  const [controller, setController] = useState<AbortController>();

  const start = (file: File) => {
    const created = new AbortController();
    setController(created);
    setShare(0);
    upload.mutate({
      body: { file },
      signal: created.signal,
      fetch: fetchWithProgress(({ sent, total }) => {
        setShare(sent / total);
      }),
    });
  };

  return (
    <section aria-label="Upload">
      <input
        type="file"
        aria-label="File"
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (file !== undefined) start(file);
        }}
      />
      {upload.isPending && (
        <>
          <progress aria-label="Sent" value={share} />
          <button
            onClick={() => {
              controller?.abort();
            }}
          >
            Cancel
          </button>
        </>
      )}
      {upload.isSuccess && (
        <p role="status">
          Stored {upload.data.size} bytes, sent {Math.round(100 * share)} %
        </p>
      )}
      {upload.isError && (
        <p role="alert">{controller?.signal.aborted === true ? "Cancelled" : upload.error.message}</p>
      )}
    </section>
  );
}
