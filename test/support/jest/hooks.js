// Hooks of Node.js that resolve the imports of tests; see runner.js.
const TESTS = new URL("../../", import.meta.url).href;
const GLOBALS = new URL("globals.js", import.meta.url).href;

/** Modules whose URL names the run of a test file are evaluated for this run. */
export async function resolve(specifier, context, next) {
  const run = /[?&]run=([^&]+)/.exec(context.parentURL ?? "")?.[1];
  if (specifier === "@jest/globals") return { url: `${GLOBALS}?run=${run}`, shortCircuit: true };
  const resolved = await next(specifier, context);
  if (run === undefined || !isOfRun(resolved.url, run)) return resolved;
  const url = new URL(resolved.url);
  url.searchParams.set("run", run);
  return { ...resolved, url: url.href };
}

function isOfRun(url, run) {
  if (url.startsWith(TESTS)) return true;
  return run.endsWith("-fresh") && url.startsWith("file:") && !url.includes("/node_modules/");
}
