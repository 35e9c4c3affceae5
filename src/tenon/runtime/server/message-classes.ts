import { IncomingMessage, type RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Options of `http.createServer` that make requests and responses of other classes. */
export interface MessageClasses {
  readonly IncomingMessage?: typeof IncomingMessage;
  readonly ServerResponse?: typeof ServerResponse;
}

/**
 * Express gives each request and response its own prototype (`app.request`, `app.response`), after Node has made them:
 * changing an object's prototype slows down every later access, which is most of the cost of Express on Node 20. These classes create
 * the objects with the prototypes of Express.
 * @returns an empty object for a listener that is not an Express app.
 */
export function toMessageClasses(app: RequestListener & Partial<ExpressPrototypes>): MessageClasses {
  const { request, response } = app;
  if (!(request instanceof IncomingMessage) || !(response instanceof ServerResponse)) return {};
  // Functions instead of classes, because the prototype of a class cannot be replaced.
  function AppRequest(this: IncomingMessage, socket: Socket): void {
    (IncomingMessage as unknown as Constructor<[Socket]>).call(this, socket);
  }
  function AppResponse(this: ServerResponse, of: IncomingMessage, options: object): void {
    (ServerResponse as unknown as Constructor<[IncomingMessage, object]>).call(this, of, options);
  }
  return {
    IncomingMessage: extend(AppRequest, IncomingMessage, request),
    ServerResponse: extend(AppResponse, ServerResponse, response),
  };
}

function extend<Class extends object>(
  constructor: { prototype: object },
  base: Class,
  prototype: object,
): Class {
  constructor.prototype = prototype;
  // As with `extends`: the engine then reserves room for what the base's constructor adds, instead of moving the object as it grows.
  return Object.setPrototypeOf(constructor, base) as Class;
}

/** The prototypes of an Express app, which inherit from Node's. */
interface ExpressPrototypes {
  readonly request: object;
  readonly response: object;
}

/** Node's message classes are functions that may be called on an object which inherits from their prototype. */
type Constructor<Arguments extends readonly unknown[]> = (this: object, ...from: Arguments) => void;
