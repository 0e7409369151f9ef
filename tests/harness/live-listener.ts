/** One parsed message. */
export type Heard = Record<string, unknown> & { seq?: number };

/** The client's end of a live connection. */
export type LiveListener = {
  /** Every message so far, oldest first. */
  heard: Heard[];
  /** The server's close code. Null while open. */
  closedWith: number | null;
  socket: WebSocket;
  /** Resolves when `condition` holds after a message or a close. @throws Error after ten seconds */
  until(condition: () => boolean): Promise<void>;
};

/** Accepts the client's end of an upgrade response and records messages. @throws Error when not upgraded */
export function listenTo(response: Response): LiveListener {
  const socket = response.webSocket;
  if (!socket) throw new Error(`The upgrade was answered with ${response.status}.`);
  const waiting = new Set<() => void>();
  const listener: LiveListener = {
    heard: [],
    closedWith: null,
    socket,
    until: (condition) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(look);
          reject(new Error(`Waited in vain; heard ${JSON.stringify(listener.heard)}`));
        }, 10_000);
        const look = () => {
          if (!condition()) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
  const tell = () => {
    for (const look of [...waiting]) look();
  };
  socket.addEventListener("message", (event) => {
    listener.heard.push(event.data === "pong" ? { pong: true } : JSON.parse(String(event.data)));
    tell();
  });
  socket.addEventListener("close", (event) => {
    listener.closedWith = event.code;
    tell();
  });
  socket.accept();
  return listener;
}
