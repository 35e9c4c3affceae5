import { createEventId, deliver, type Delivery, signEvent } from "./deliver.js";
import type { SampleEvent } from "./sample-event.js";

/** A check of a receiver, and its result. */
export interface ReceiverCheck {
  readonly name: string;
  readonly isAccepted: boolean;
  /** The status, or the reason why there is none. */
  readonly result: number | string;
  readonly passed: boolean;
}

const MINUTES = 10;

/**
 * Tests whether a receiver accepts a signed event, also when it is repeated, and refuses forgeries of it.
 * @param invalid The event with a body that the contract does not allow. Default: none is sent.
 */
export async function checkReceiver(
  event: SampleEvent,
  { to, scheme }: Delivery,
  invalid?: SampleEvent,
): Promise<readonly ReceiverCheck[]> {
  const id = createEventId();
  const signed = signEvent(event, scheme, { id });
  const later = Date.now() + MINUTES * 60_000;
  const earlier = Date.now() - MINUTES * 60_000;
  const signatureHeaders = Object.entries(signed.headers).map(
    ([name, value]) =>
      [name, scheme.headers.includes(name.toLowerCase()) ? breakSignature(value) : value] as const,
  );
  const isTimed = JSON.stringify(signEvent(event, scheme, { id, time: earlier })) !== JSON.stringify(signed);
  const cases: readonly (readonly [name: string, isAccepted: boolean, sent: SampleEvent])[] = [
    ["accepts a signed event", true, signed],
    ["accepts the same event again", true, signed],
    ["refuses an event without a signature", false, event],
    ["refuses another signature", false, { ...signed, headers: Object.fromEntries(signatureHeaders) }],
    ["refuses a changed body", false, { ...signed, body: `${signed.body} ` }],
    ...(invalid
      ? ([["refuses a body that the contract does not allow", false, signEvent(invalid, scheme)]] as const)
      : []),
    // A scheme without a time cannot be checked for it.
    ...(isTimed
      ? ([
          [
            `refuses an event signed ${MINUTES} minutes ago`,
            false,
            signEvent(event, scheme, { time: earlier }),
          ],
          [
            `refuses an event signed ${MINUTES} minutes ahead`,
            false,
            signEvent(event, scheme, { time: later }),
          ],
        ] as const)
      : []),
  ];
  const checks: ReceiverCheck[] = [];
  for (const [name, isAccepted, sent] of cases) {
    const result = await deliver(sent, to);
    const passed = isAccepted
      ? isSuccess(result)
      : typeof result === "number" && result >= 400 && result < 500;
    checks.push({ name, isAccepted, result, passed });
  }
  return checks;
}

export function isSuccess(result: number | string): boolean {
  return typeof result === "number" && result >= 200 && result < 300;
}

/** Changes every signature in a header: its last letter or digit before an optional padding. */
function breakSignature(value: string): string {
  return value.replace(/[A-Za-z0-9](?==*(?:[ ,]|$))/g, (last) => (last === "0" ? "1" : "0"));
}
