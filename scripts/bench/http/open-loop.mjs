// Sends requests at a rate, whether earlier ones are answered or not, as callers do that do not know of each other: each
// takes a connection that idles, or a new one. Latency counts from when a request was due, so that neither the sender's own
// delays nor waiting for the server are left out. A process of its own, told by messages.
import { once } from "node:events";
import { connect } from "node:net";
import process from "node:process";
import { setTimeout } from "node:timers/promises";

const HEAD_END = "\r\n\r\n";

/** After the last request, answers are waited for so long unless the slice has a `patience`, in milliseconds. */
const PATIENCE = 3_000;

/** Length of the answer in `text`, a character a byte; undefined while it is not all there. */
function findAnswerEnd(text) {
  const headEnd = text.indexOf(HEAD_END);
  if (headEnd === -1) return undefined;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, headEnd))?.[1];
  if (length === undefined) throw new Error("An answer without Content-Length");
  const end = headEnd + HEAD_END.length + Number(length);
  return text.length < end ? undefined : end;
}

/**
 * One slice, over at most so many `connections`, of which so many are `prepared` before. The gaps between requests are
 * random, as many callers make them (a Poisson process).
 * @returns what became of the requests that were due, and of each answer its status, when its request was due and how long
 *   it took, in milliseconds.
 */
async function run({ port, requests, rate, milliseconds, connections, prepared, patience = PATIENCE }) {
  const idle = [];
  const open = new Set();
  const answers = [];
  let due = 0;
  let waiting = 0;
  /** Requests that no connection was left for, and those whose connection was lost. */
  let unsent = 0;
  let lost = 0;

  function add() {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    socket.setEncoding("latin1");
    const connection = { socket, due: undefined };
    open.add(connection);
    let text = "";
    socket.on("data", (chunk) => {
      // The server says that it waited long enough for a request.
      if (connection.due === undefined) return;
      text += chunk;
      const length = findAnswerEnd(text);
      if (length === undefined) return;
      answers.push([Number(text.slice(9, 12)), connection.due - start, performance.now() - connection.due]);
      text = text.slice(length);
      connection.due = undefined;
      waiting -= 1;
      idle.push(connection);
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      open.delete(connection);
      if (connection.due === undefined) idle.splice(idle.indexOf(connection), 1);
      else {
        lost += 1;
        waiting -= 1;
      }
    });
    return connection;
  }

  function send(at) {
    const connection = idle.pop() ?? (open.size < connections ? add() : undefined);
    if (connection === undefined) {
      unsent += 1;
      return;
    }
    connection.due = at;
    waiting += 1;
    connection.socket.write(requests[due % requests.length], "latin1");
  }

  // In groups that fit into the server's queue of connections to accept: what does not is only tried again after a second.
  while (open.size < prepared) {
    const group = Array.from({ length: Math.min(100, prepared - open.size) }, add);
    await Promise.all(group.map(({ socket }) => once(socket, "connect")));
    idle.push(...group);
  }
  const start = performance.now();
  const end = start + milliseconds;
  /** The longest that this process itself was late. */
  let delay = 0;
  for (let next = start + toGap(rate); next < end;) {
    await setTimeout(1);
    const now = Math.min(performance.now(), end);
    delay = Math.max(delay, now - next);
    for (; next < now; next += toGap(rate)) {
      due += 1;
      send(next);
    }
  }
  while (waiting > 0 && performance.now() < end + patience) await setTimeout(10);
  const unanswered = waiting;
  for (const { socket } of open) socket.destroy();
  while (open.size > 0) await setTimeout(1);
  return { due, unsent, lost: lost - unanswered, unanswered, delay, answers };
}

/** Milliseconds to the next request. */
function toGap(rate) {
  return (-Math.log(1 - Math.random()) / rate) * 1000;
}

process.on("message", (slice) => {
  run(slice).then(
    (result) => process.send({ result }),
    (error) => process.send({ error: error.message }),
  );
});
process.on("disconnect", () => process.exit());
