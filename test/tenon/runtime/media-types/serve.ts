import express from "express";
import {
  createHttpServer,
  type BodyLimits,
  type Failure,
  type Problem,
  type ResponseProblem,
} from "../../../../src/tenon/runtime/index.js";
import { createApi } from "../../../fixtures/media-types/generated/server.js";
import { handlers } from "../../../fixtures/media-types/handlers.js";
import { close, listen } from "../../../support/http.js";

export interface Served {
  readonly port: number;
  readonly failures: Failure[];
  readonly responseProblems: ResponseProblem[];
  stop(): Promise<void>;
}

export const LIMITS = { bodyLimit: 1_000, uploadLimit: 20_000, fileLimit: 10_000, partLimit: 6 };

/** Serves the fixture's contract with its handlers, on a free port. */
export async function serve(limits: BodyLimits = LIMITS): Promise<Served> {
  const failures: Failure[] = [];
  const responseProblems: ResponseProblem[] = [];
  const errorBody = (problem: Problem): Problem => problem;
  const app = express();
  app.use(
    createApi({
      handlers,
      errorBody,
      onFailure: (failure) => failures.push(failure),
      onResponseProblem: (problem) => responseProblems.push(problem),
      ...limits,
    }),
  );
  const server = createHttpServer(app, { errorBody });
  const port = await listen(server);
  return { port, failures, responseProblems, stop: () => close(server) };
}
