import { describeWrong } from "../draft.js";
import { type Check, isSuccess } from "./check.js";

/** What is wrong in one way has to be refused. An undeclared 4xx and a 5xx are told by other checks. */
export const checkRefused: Check = ({ draft: { expectation, wrong }, answer: { status } }) => {
  if (expectation !== "refused" || wrong === undefined || !isSuccess(status)) return [];
  return [
    {
      check: "refused",
      message: `A request that the contract forbids is answered with ${status}: it breaks ${describeWrong(wrong)}`,
      detail: describeWrong(wrong),
    },
  ];
};
