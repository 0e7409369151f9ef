/** How often an open socket is pinged, in ms. */
const ASK_EVERY_MS = 30_000;
/** How long to wait for a reply, in ms. Any message counts as one. */
const ANSWER_WITHIN_MS = 8_000;

/** The part of a reconnecting WebSocket that is used here. */
type PulseSocket = Pick<EventTarget, "addEventListener"> & {
  readonly readyState: number;
  send: (data: string) => unknown;
  reconnect: () => void;
};

const OPEN = 1;

/**
 * Detects connections that died silently, e.g. after sleep or a network change. Pings the socket periodically, and at
 * once when the page becomes visible again. Reconnects when no reply arrives.
 *
 * @returns functions that ping at once, and that stop
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
