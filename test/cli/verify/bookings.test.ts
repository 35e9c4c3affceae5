// @thorough, 50 s: tests servers with 32 faults.
import { describe, expect, test } from "@jest/globals";
import type { CheckName } from "../../../src/cli/verify/checks/index.js";
import { verify, type VerifyOptions, type VerifyResult } from "../../../src/cli/verify/index.js";
import { close, listen } from "../../support/http.js";
import { GIVE_UP_MS } from "../../support/until.js";
import { BOOKING_FAULTS, type BookingFault, type BookingsOptions, createBookings, KEY } from "./bookings.js";
import { loadTested, PATIENT } from "./run.js";

const contract = await loadTested(new URL("./bookings.yaml", import.meta.url));

async function verifyBookings(
  options: BookingsOptions = {},
  more: Partial<VerifyOptions> = {},
): Promise<VerifyResult> {
  const server = createBookings(options);
  try {
    return await verify(contract, {
      base: new URL(`http://127.0.0.1:${await listen(server)}/v1`),
      seed: 1,
      runs: 3,
      limits: PATIENT,
      timeout: GIVE_UP_MS,
      credentials: { keys: new Map([["key", KEY]]), headers: [] },
      ...more,
    });
  } finally {
    await close(server);
  }
}

describe("a server that conforms to its contract", () => {
  test.each([1, 2])("passes with seed %i", async (seed) => {
    const { failures, notes } = await verifyBookings({}, { seed });
    expect({ failures, notes }).toEqual({ failures: [], notes: [expect.stringMatching(/^An example at /)] });
  });

  test("gets no invalid example of its contract, which the report names", async () => {
    const { notes } = await verifyBookings({}, { operations: ["createBooking"] });
    expect(notes).toEqual([
      'An example at #/components/schemas/Booking/properties/agency is invalid and was not sent: The value is "one-that-is-not-a-uuid"; the contract says format "uuid". `tenon lint` shows the line.',
    ]);
  });

  test("passes when its reads lag behind its changes", async () => {
    expect((await verifyBookings({ lag: 2 })).failures).toEqual([]);
  });
});

type Fault = readonly [fault: BookingFault, check: CheckName];

const isAccepted = ([, check]: Fault): boolean => check === "refused";
const faults = Object.entries(BOOKING_FAULTS) as unknown as readonly Fault[];
const accepted = faults.filter(isAccepted);
const others = faults.filter((fault) => !isAccepted(fault));
/** Each server has a fault of its requests and one of its responses, as long as there are any: one must not hide the other. */
const pairs = Array.from({ length: Math.max(accepted.length, others.length) }, (_, index) =>
  [accepted, others].flatMap((list) => list.slice(index, index + 1)),
);

test.each(pairs.map((pair) => [pair.map(([fault]) => fault).join(" and "), pair] as const))(
  "a server that %s is reported once for each",
  async (_, pair) => {
    const { failures } = await verifyBookings({ faults: pair.map(([fault]) => fault) });
    expect(failures.map(({ check }) => check).sort()).toEqual(pair.map(([, check]) => check).sort());
  },
);
