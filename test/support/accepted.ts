import { HttpError } from "../../src/tenon/runtime/index.js";

/** The values of a request that is valid; throws the error of one that is not. */
export function accepted<Values>(validated: Values | HttpError): Values {
  if (validated instanceof HttpError) throw validated;
  return validated;
}
