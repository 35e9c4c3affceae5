import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { context, ROOT_CONTEXT, type Span, trace } from "@opentelemetry/api";
import { send } from "../support/http.js";
import { startPetStore, type PetStore } from "../support/petstore.js";

// The SDK is not installed: `npm run test:long -- traces` runs the service with it. This span has what its spans have.
const attributes: Record<string, unknown> = {};
const span = {
  attributes,
  updateName: () => span,
  setAttribute(name: string, value: unknown) {
    attributes[name] = value;
    return span;
  },
} as unknown as Span;

let service: PetStore;
beforeAll(async () => {
  const active = trace.setSpan(ROOT_CONTEXT, span);
  context.setGlobalContextManager({
    active: () => active,
    with: (_, run, self, ...values) => run.apply(self, values),
    bind: (_, target) => target,
    enable: () => context as never,
    disable: () => context as never,
  });
  service = await startPetStore();
});
afterAll(async () => {
  context.disable();
  await service.stop();
});

test.each(["/v1/pets", "/nope"])(
  "a span of a request to %s loses its keys, and nothing else",
  async (path) => {
    Object.assign(attributes, {
      "url.path": `${path}/${service.key}`,
      "http.request.header.authorization": [`Bearer ${service.key}`],
      "user_agent.original": "curl/8",
      "server.port": 3000,
    });
    await send(service.port, path);
    expect(attributes).toMatchObject({
      "url.path": `${path}/[redacted key]`,
      "http.request.header.authorization": ["Bearer [redacted key]"],
      "user_agent.original": "curl/8",
      "server.port": 3000,
    });
  },
);
