/** The script on pages that `tenon dev` builds. */
export const RELOAD_SCRIPT = "reload.js";

/**
 * Reloads the page when its service was restarted or its docs were written again. Either ends the event stream; the next
 * connection succeeds once the service is there.
 */
export const RELOAD_SCRIPT_TEXT = `const events = new EventSource("reload");
let lost = false;
events.onerror = () => {
  lost = true;
};
events.onopen = () => {
  if (lost) location.reload();
};
`;
