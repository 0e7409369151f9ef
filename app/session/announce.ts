/** Messages about the session between tabs of one browser. */
export type SessionNews = { kind: "signed-out" } | { kind: "active"; expiresAt: number };

const NAME = "holdfast-session";

let channel: BroadcastChannel | null = null;

/** Sends a message to the other tabs, not to this one. */
export function announce(news: SessionNews): void {
  open()?.postMessage(news);
}

/** Subscribes to messages of other tabs. Returns a function that unsubscribes. */
export function hearNews(listener: (news: SessionNews) => void): () => void {
  const own = open();
  if (!own) return () => undefined;
  const hear = (event: MessageEvent) => {
    if (isNews(event.data)) listener(event.data);
  };
  own.addEventListener("message", hear);
  return () => own.removeEventListener("message", hear);
}

function open(): BroadcastChannel | null {
  if (typeof BroadcastChannel === "undefined") return null;
  channel ??= new BroadcastChannel(NAME);
  return channel;
}

function isNews(value: unknown): value is SessionNews {
  if (typeof value !== "object" || value === null || !("kind" in value)) return false;
  return (
    value.kind === "signed-out" ||
    (value.kind === "active" && "expiresAt" in value && typeof value.expiresAt === "number")
  );
}
