// Loaded before a server. When asked, it sends the server requests on a connection inside the process, and measures their processor time.
import http from "node:http";
import process from "node:process";
import { Duplex } from "node:stream";
import { setImmediate } from "node:timers";

/** Requests between two readings of the processor time. */
const BATCH = 250;

const servers = [];
const { listen } = http.Server.prototype;
http.Server.prototype.listen = function (...options) {
  servers.push(this);
  return listen.apply(this, options);
};

/** The caller's end of a connection. */
class Connection extends Duplex {
  remoteAddress = "127.0.0.1";
  #response = "";
  #resolve;

  /** Resolves to the status of the response when all of it has arrived. */
  send(request) {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.push(request);
    });
  }

  _read() {
    // Requests are pushed as they come.
  }

  _write(chunk, _, done) {
    done();
    this.#receive(String(chunk));
  }

  _writev(chunks, done) {
    done();
    this.#receive(chunks.map(({ chunk }) => String(chunk)).join(""));
  }

  #receive(text) {
    this.#response += text;
    const end = this.#response.indexOf("\r\n\r\n");
    if (end < 0) return;
    const length = Number(/content-length: *(\d+)/i.exec(this.#response)?.[1] ?? 0);
    if (this.#response.length < end + 4 + length) return;
    const status = Number(this.#response.slice(9, 12));
    this.#response = "";
    // The next request follows later: work after a response counts as part of its request.
    setImmediate(this.#resolve, status);
  }

  setTimeout() {
    return this;
  }

  setKeepAlive() {
    return this;
  }

  setNoDelay() {
    return this;
  }

  ref() {
    return this;
  }

  unref() {
    return this;
  }
}

/** Returns microseconds of processor time, all threads together, for each request of each batch. */
async function run({ requests, status, seconds }) {
  const connection = new Connection();
  servers[0].emit("connection", connection);
  const buffers = requests.map((text) => Buffer.from(text, "latin1"));
  const end = performance.now() + seconds * 1000;
  const batches = [];
  let count = 0;
  while (performance.now() < end) {
    const before = process.cpuUsage();
    for (let sent = 0; sent < BATCH; sent += 1, count += 1) {
      const answered = await connection.send(buffers[count % buffers.length]);
      if (answered !== status) throw new Error(`${answered} instead of ${status}`);
    }
    const { user, system } = process.cpuUsage(before);
    batches.push((user + system) / BATCH);
  }
  connection.destroy();
  return batches;
}

process.on("message", (message) => {
  if (message !== "usage") void run(message).then((batches) => process.send(batches));
});
