import type { SessionAnswer } from "#app/session/ask-session.ts";

/** The hub says with it that a socket may come back at once; the door looks at the session then. */
const CLOSE_RECONNECT = 4408;

/**
 * How long a refused session is given before it is asked for once more, in ms: a call of this page that renews the session
 * ends the old one before its answer has brought the new cookie.
 */
export const CONFIRM_AFTER_MS = 1_500;

type Watched = Pick<EventTarget, "addEventListener"> & { readonly readyState: number };

const OPEN = 1;

/**
 * Asks whose session it is each time the socket closes or fails to open. A browser gets no reason with a socket that the
 * server refuses, and whoever was removed or signed out elsewhere must not keep on screen what was loaded before.
 *
 * @param on What the answer leads to. `alive` = the session is well, yet nothing live arrives: what is shown may be old.
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
