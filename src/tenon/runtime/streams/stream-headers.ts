/** Headers that keep proxies and compression from holding items back. A reply's own headers take precedence. */
export const STREAM_HEADERS = {
  events: { "Cache-Control": "no-store, no-transform", "X-Accel-Buffering": "no" },
  lines: { "X-Accel-Buffering": "no" },
  records: { "X-Accel-Buffering": "no" },
  parts: { "X-Accel-Buffering": "no" },
};
