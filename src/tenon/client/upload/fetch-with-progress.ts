/**
 * The progress of a request body, in bytes.
 * @example
 * const print = ({ sent, total }: UploadProgress) => {
 *   console.log(`${Math.round((100 * sent) / total)} %`);
 * };
 * await client.createPet({ body: { name: "Rex", categoryId: 1 }, fetch: fetchWithProgress(print) });
 */
export interface UploadProgress {
  /** Bytes that were passed to the network. */
  readonly sent: number;
  /** Bytes of the body. */
  readonly total: number;
}

/**
 * Creates a `fetch` that reports the progress of the request body. In a browser it sends by `XMLHttpRequest`, because `fetch` reports no
 * progress there. The response can be read when it is complete. Elsewhere it counts what `fetch` takes from the body. If a call is
 * repeated, its progress begins again.
 *
 * A call with it rejects with a `TypeError` in a browser if it rejects redirects, as calls with a credential in a header of its own do:
 * `XMLHttpRequest` follows all. Pass `redirect: "follow"` for a service that redirects to hosts that may get the credential, or to none.
 * @example
 * const controller = new AbortController();
 * const created = await client.createPet({
 *   body: { name: "Rex", categoryId: 1 },
 *   fetch: fetchWithProgress(({ sent, total }) => {
 *     console.log(sent, total);
 *   }),
 *   signal: controller.signal,
 * });
 */
export function fetchWithProgress(
  onProgress: (progress: UploadProgress) => void,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const { XMLHttpRequest } = globalThis as { readonly XMLHttpRequest?: new () => Xhr };
    const body = await request.blob();
    if (XMLHttpRequest !== undefined) return sendByXhr(new XMLHttpRequest(), request, body, onProgress);
    if (body.size === 0) return fetch(request);
    const init: RequestInit & { readonly duplex: "half" } = { body: count(body, onProgress), duplex: "half" };
    return fetch(new Request(request, init));
  };
}

/** Bytes that are passed to `fetch` at once. */
const PART = 65_536;

function count(body: Blob, onProgress: (progress: UploadProgress) => void): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const part = await body.slice(sent, sent + PART).arrayBuffer();
      controller.enqueue(new Uint8Array(part));
      sent += part.byteLength;
      onProgress({ sent, total: body.size });
      if (sent === body.size) controller.close();
    },
  });
}

/** Statuses whose `Response` must have no body. */
const WITHOUT_BODY: readonly number[] = [204, 205, 304];

function sendByXhr(
  xhr: Xhr,
  request: Request,
  body: Blob,
  onProgress: (progress: UploadProgress) => void,
): Promise<Response> {
  const { method, url, signal, redirect, credentials, headers } = request;
  if (redirect === "error")
    throw new TypeError(
      'XMLHttpRequest cannot reject redirects: pass `redirect: "follow"` if all hosts that the service redirects to may get the credential',
    );
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    xhr.open(method, url);
    xhr.responseType = "arraybuffer";
    xhr.withCredentials = credentials === "include";
    headers.forEach((value, name) => {
      xhr.setRequestHeader(name, value);
    });
    const abort = () => {
      xhr.abort();
    };
    signal.addEventListener("abort", abort, { once: true });
    xhr.upload.onprogress = ({ loaded }) => {
      onProgress({ sent: loaded, total: body.size });
    };
    xhr.onload = () => {
      const { status, statusText } = xhr;
      const init = { status, statusText, headers: readHeaders(xhr.getAllResponseHeaders()) };
      resolve(new Response(WITHOUT_BODY.includes(status) ? null : xhr.response, init));
    };
    xhr.onabort = () => {
      reject(signal.reason as Error);
    };
    xhr.onerror = () => {
      reject(new TypeError("There was no response"));
    };
    xhr.onloadend = () => {
      signal.removeEventListener("abort", abort);
    };
    xhr.send(body.size === 0 ? null : body);
  });
}

function readHeaders(text: string): [string, string][] {
  const lines = text.split("\r\n").filter((line) => line !== "");
  return lines.map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
}

/** The used part of `XMLHttpRequest`, which the types of Node.js do not have. */
interface Xhr {
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body: Blob | null): void;
  abort(): void;
  responseType: string;
  withCredentials: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly response: ArrayBuffer;
  readonly upload: { onprogress: ((event: { readonly loaded: number }) => void) | null };
  onload: (() => void) | null;
  onabort: (() => void) | null;
  onerror: (() => void) | null;
  onloadend: (() => void) | null;
}
