// Sends requests over kept connections, the next one on each as soon as the answer is there, and counts. Raw sockets,
// because Node's own client costs more than most servers that are measured. A process of its own, told by messages.
import { connect } from "node:net";
import process from "node:process";
import { setImmediate } from "node:timers";

const HEAD_END = "\r\n\r\n";

/** Length of the first answer in `text`, a character a byte; undefined while it is not all there. */
function findAnswerEnd(text) {
  const headEnd = text.indexOf(HEAD_END);
  if (headEnd === -1) return undefined;
  const head = text.slice(0, headEnd);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) {
    const end = headEnd + HEAD_END.length + Number(length);
    return text.length < end ? undefined : end;
  }
  if (!/\r\ntransfer-encoding: *chunked/i.test(head)) return headEnd + HEAD_END.length;
  const end = text.indexOf(`\r\n0${HEAD_END}`, headEnd);
  return end === -1 ? undefined : end + HEAD_END.length + "\r\n0".length;
}

/** One slice. Requests are texts of whole HTTP requests, taken in turn. */
function run({ port, requests, connections, milliseconds }) {
  return new Promise((resolve, reject) => {
    const latencies = [];
    const statuses = {};
    let next = 0;
    let open = connections;
    let connected = 0;
    let start = 0;
    let end = Infinity;

    function done() {
      latencies.sort((a, b) => a - b);
      const at = (part) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * part))];
      const seconds = (performance.now() - start) / 1000;
      resolve({ answers: latencies.length, seconds, statuses, p50: at(0.5), p99: at(0.99) });
    }

    function add() {
      const socket = connect({ port, host: "127.0.0.1", noDelay: true });
      socket.setEncoding("latin1");
      let sent = 0;
      let text = "";
      let isDone = false;
      const send = () => {
        sent = performance.now();
        socket.write(requests[next++ % requests.length], "latin1");
      };
      socket.on("data", (chunk) => {
        text += chunk;
        const length = findAnswerEnd(text);
        if (length === undefined) return;
        const now = performance.now();
        latencies.push(now - sent);
        // `HTTP/1.1 200 OK`
        const status = text.slice(9, 12);
        statuses[status] = (statuses[status] ?? 0) + 1;
        text = text.slice(length);
        if (now < end) send();
        else {
          isDone = true;
          socket.end();
        }
      });
      socket.on("error", reject);
      socket.on("close", () => {
        if (!isDone) reject(new Error(`The server on port ${port} closed a connection`));
        else if (--open === 0) done();
      });
      return { socket, send };
    }

    // Never sleeps: on a virtual machine, waking this process would take the server up to a third of its time.
    const poll = () => {
      if (open > 0) setImmediate(poll);
    };
    poll();

    // All are connected before the first request is sent.
    const all = Array.from({ length: connections }, add);
    for (const { socket } of all) {
      socket.on("connect", () => {
        if (++connected < connections) return;
        start = performance.now();
        end = start + milliseconds;
        for (const { send } of all) send();
      });
    }
  });
}

process.on("message", (slice) => {
  run(slice).then(
    (result) => process.send({ result }),
    (error) => process.send({ error: error.message }),
  );
});
process.on("disconnect", () => process.exit());
