/** Sends sample webhooks, and checks receivers. */
export { createCallbackSender, type SendCallbacks } from "./callback-sender.js";
export { checkReceiver, isSuccess, type ReceiverCheck } from "./check-receiver.js";
export { deliver, signEvent } from "./deliver.js";
export { makeInvalidEvent, makeSampleEvent } from "./sample-event.js";
