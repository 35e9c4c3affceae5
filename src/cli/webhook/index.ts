/** Sends sample webhooks, and checks receivers. */
export { checkReceiver, isSuccess, type ReceiverCheck } from "./check-receiver.js";
export { deliver, signEvent } from "./deliver.js";
export { makeSampleEvent } from "./sample-event.js";
