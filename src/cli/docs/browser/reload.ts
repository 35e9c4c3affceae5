/**
 * Reloads the page when its service was restarted or its docs were written again. Both end the event stream; the next connection
 * succeeds once the service is ready.
 */
const events = new EventSource("reload");
let lost = false;
events.onerror = () => {
  lost = true;
};
events.onopen = () => {
  if (lost) location.reload();
};
