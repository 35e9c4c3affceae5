// Exits 0 when the service in this container can serve, else 1 within 3 seconds. Reads HOST and PORT as the service does.
import { get } from "node:http";
import process from "node:process";
import { setTimeout } from "node:timers";

const { HOST = "", PORT = "" } = process.env;
const host = ["", "0.0.0.0", "::"].includes(HOST) ? "127.0.0.1" : HOST;
const port = PORT === "" ? 3000 : Number(PORT);

function end(problem) {
  if (problem !== undefined) console.error(`/readyz ${problem}`);
  process.exit(problem === undefined ? 0 : 1);
}

get({ host, port, path: "/readyz" }, ({ statusCode }) => {
  end(statusCode === 200 ? undefined : `responded with ${statusCode}`);
}).on("error", ({ message }) => {
  end(`does not respond: ${message}`);
});
setTimeout(() => {
  end("does not respond in time");
}, 3_000);
