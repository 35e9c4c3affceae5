// Jest's `testEnvironment`: the process itself, where runner.js loads the tests. Changes to the process end with the test file.
import { ModuleMocker } from "jest-mock";

export default class ProcessEnvironment {
  /** Jest puts the console of the test file here. */
  global = {};
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  fakeTimersModern = null;

  async setup() {
    this.before = { console: globalThis.console, cwd: process.cwd(), env: { ...process.env } };
    globalThis.console = this.global.console;
    // Jest's formatting of stacks does not know the source maps of modules that Node.js has loaded; that of Node.js does.
    Error.prepareStackTrace = undefined;
  }

  async teardown() {
    const { console, cwd, env } = this.before;
    globalThis.console = console;
    process.chdir(cwd);
    for (const name of Object.keys(process.env))
      if (env[name] === undefined) Reflect.deleteProperty(process.env, name);
    Object.assign(process.env, env);
  }

  exportConditions() {
    return [];
  }

  getVmContext() {
    return null;
  }
}
