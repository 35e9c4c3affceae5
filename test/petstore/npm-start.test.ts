// @thorough: builds and starts the service by npm.
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, expect, test } from "@jest/globals";
import { createDirectory } from "../support/directory.js";
import { startCreation } from "../support/petstore.js";
import {
  endProcesses,
  type PetStoreProcess,
  type ServingProcess,
  startProcess,
  startServing,
} from "../support/petstore-process.js";

afterEach(endProcesses);

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as {
  scripts: { prestart: string; start: string };
};

/** A folder in which the `start` script of this repository runs the service from its sources, without a build. */
function createProject(): string {
  const root = createDirectory();
  mkdirSync(join(root, "dist/src/petstore"), { recursive: true });
  const main = pathToFileURL("src/petstore/main.ts").href;
  writeFileSync(join(root, "dist/src/petstore/main.js"), `import ${JSON.stringify(main)};\n`);
  const scripts = { start: manifest.scripts.start };
  writeFileSync(join(root, "package.json"), JSON.stringify({ name: "copy", type: "module", scripts }));
  symlinkSync(join(process.cwd(), "node_modules"), join(root, "node_modules"));
  return root;
}

const tsx = pathToFileURL(join(process.cwd(), "node_modules/tsx/dist/loader.mjs")).href;
const start = (): Promise<ServingProcess> =>
  startServing({
    root: createProject(),
    command: ["npm", "start"],
    env: { NODE_OPTIONS: `--conditions=tenon-source --import=${tsx}`, DRAIN_DELAY_MS: "0" },
  });

test.each([
  ["SIGTERM", ["SIGTERM"]],
  // Ctrl-C sends the signal to npm and to the service, and npm passes it on.
  ["Ctrl-C", ["SIGINT", "group SIGINT"]],
])("npm start: %s lets the service finish its requests, and npm waits for it", async (_, signals) => {
  const service = await start();
  const socket = await startCreation(service.calls, "Content-Length: 29");
  for (const signal of signals) {
    if (signal === "group SIGINT") process.kill(-service.pid, "SIGINT");
    else service.kill(signal as NodeJS.Signals);
  }
  await service.says(/"stopping"/);
  socket.write('{"name":"Rex","categoryId":1}');
  const [answer] = (await once(socket, "data")) as [Buffer];
  expect(answer.toString("utf8")).toMatch(/^HTTP\/1\.1 201 /);
  expect(await service.ended()).toStrictEqual({ code: 0, signal: null });
  expect(service.out.at(-1)).toContain('"stopped"');
});

test("npm start: the service stops gracefully when npm is killed", async () => {
  const service = await start();
  service.kill("SIGKILL");
  expect(await service.ended()).toStrictEqual({ code: null, signal: "SIGKILL" });
  expect(service.out.at(-1)).toContain('"stopped"');
});

/** Runs `npm start` in a folder whose service is a line. */
function startBuild(program: string): PetStoreProcess {
  const root = createProject();
  const { prestart } = manifest.scripts;
  // As in this repository, npm runs npm, which runs a list of commands.
  const build = "npm run --silent packages && node -e 0";
  const packages = "node build.mjs && node -e 0";
  const scripts = { prestart, build, packages, start: "node -p 'console.error(`started`)'" };
  writeFileSync(join(root, "package.json"), JSON.stringify({ name: "copy", type: "module", scripts }));
  cpSync("package-lock.json", join(root, "package-lock.json"));
  cpSync("scripts", join(root, "scripts"), { recursive: true });
  writeFileSync(join(root, "build.mjs"), `console.error("building"); ${program}`);
  return startProcess({ root, command: ["npm", "start"] });
}

const steps = ({ err }: PetStoreProcess) => err.filter((line) => /^(?:building|built|started)$/.test(line));

test.each(["SIGTERM", "SIGINT"] as const)(
  "npm start: %s ends the build, and no service starts",
  async (signal) => {
    const service = startBuild('setTimeout(() => console.error("built"), 60_000)');
    await service.says(/^building$/);
    service.kill(signal);
    // All that it started has closed its output.
    await service.ended();
    expect(steps(service)).toEqual(["building"]);
  },
);

test.each([
  ["starts after its build", 0, ["building", "started"]],
  ["does not start after a build that failed", 3, ["building"]],
])("npm start: the service %s", async (_, code, expected) => {
  const service = startBuild(`process.exit(${code})`);
  expect((await service.ended()).code).toBe(code);
  expect(steps(service)).toEqual(expected);
});
