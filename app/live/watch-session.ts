import type { SessionAnswer } from "#app/session/ask-session.ts";

/** The hub's close code for "reconnect at once". The server checks the session on reconnect. */
const CLOSE_RECONNECT = 4408;

/**
 * Delay before a rejected session is checked a second time, in ms: a call of this page that renews the session
 * invalidates the old one before the new cookie arrives.
 */
export const CONFIRM_AFTER_MS = 1_500;

type Watched = Pick<EventTarget, "addEventListener"> & { readonly readyState: number };

const OPEN = 1;

/**
 * Checks the session each time the socket closes or fails to open. Browsers expose no reason when the server rejects a
 * socket, and a user who was removed or signed out elsewhere must not keep the loaded data on screen.
 *
 * @param on Callbacks for the result. `alive`: the session is valid, but the socket is not open, so shown data may be
 * stale.
 */
export function watchSession(
  socket: Watched,
  ask: () => Promise<SessionAnswer>,
  on: { over: () => void; other: () => void; alive: () => void },
): { stop: () => void } {
  let isAsking = false;
  let isStopped = false;
  const askTwice = async () => {
    const answer = await ask();
    if (answer !== "over") return answer;
    await new Promise((resolve) => setTimeout(resolve, CONFIRM_AFTER_MS));
    return await ask();
  };
  const look = async () => {
    if (isAsking || isStopped) return;
    isAsking = true;
    const answer = await askTwice();
    isAsking = false;
    if (isStopped || answer === "unknown") return;
    if (answer !== "alive") on[answer]();
    else if (socket.readyState !== OPEN) on.alive();
  };
  socket.addEventListener("close", (event) => {
    if ((event as CloseEvent).code !== CLOSE_RECONNECT) void look();
  });
  return {
    stop: () => {
      isStopped = true;
    },
  };
}
