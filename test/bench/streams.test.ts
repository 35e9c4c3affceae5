// @thorough: keeps streams open.
import { expect, test } from "@jest/globals";
import { holdStreams, StreamServer } from "../../scripts/bench/streams.js";

test("200 open streams keep memory flat, and nothing of them stays", async () => {
  const server = await StreamServer.start(["--expose-gc", "--conditions=tenon-source", "--import", "tsx"]);
  try {
    const windows = await holdStreams(server, { streams: 200, pause: 50, windows: 4, seconds: 1 });
    const [first, last] = [windows[0], windows.at(-1)];
    for (const { perSecond, failed } of windows) {
      expect(perSecond).toBeGreaterThan(0);
      expect(failed).toBe(0);
    }
    expect(last?.handles).toBe(first?.handles);
    expect((last?.heap ?? 0) - (first?.heap ?? 0)).toBeLessThan(16 * 2 ** 20);
  } finally {
    await server.stop();
  }
});
