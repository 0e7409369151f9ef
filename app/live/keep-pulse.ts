/** How often an open socket is asked whether it still lives, in ms. */
const ASK_EVERY_MS = 30_000;
/** How long the answer may take, in ms; anything that is heard counts as one. */
const ANSWER_WITHIN_MS = 8_000;

/** The part of a reconnecting WebSocket that a pulse needs. */
type PulseSocket = Pick<EventTarget, "addEventListener"> & {
  readonly readyState: number;
  send: (data: string) => unknown;
  reconnect: () => void;
};

const OPEN = 1;

/**
 * Notices that a connection has died without a word, as it does when a machine slept or changed its network: the socket is
 * asked now and then, and at once when the page is looked at again. Without an answer it is opened anew.
 *
 * @returns asks at once, and ends the asking.
 */
export function keepPulse(socket: PulseSocket): { ask: () => void; stop: () => void } {
  let patience: ReturnType<typeof setTimeout> | undefined;
  const heard = () => {
    clearTimeout(patience);
    patience = undefined;
  };
  const ask = () => {
    if (socket.readyState !== OPEN || patience !== undefined) return;
    socket.send("ping");
    patience = setTimeout(() => {
      heard();
      socket.reconnect();
    }, ANSWER_WITHIN_MS);
  };
  socket.addEventListener("message", heard);
  socket.addEventListener("close", heard);
  const interval = setInterval(ask, ASK_EVERY_MS);
  return {
    ask,
    stop: () => {
      heard();
      clearInterval(interval);
    },
  };
}
