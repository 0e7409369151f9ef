import type { KeyValue } from "./marker.ts";

/** A popup that survives a page load: the next page shows it. */
export type Notice = { title: string; text: string };

const NOTICE_KEY = "notice";

/** Stores a popup for the next page. */
export function leaveNotice(session: KeyValue, notice: Notice): void {
  session.setItem(NOTICE_KEY, JSON.stringify(notice));
}

/** Returns the popup that an earlier page stored, and removes it. */
export function takeNotice(session: KeyValue): Notice | null {
  const text = session.getItem(NOTICE_KEY);
  if (text === null) return null;
  session.removeItem(NOTICE_KEY);
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || !("title" in value) || !("text" in value)) return null;
    return { title: String(value.title), text: String(value.text) };
  } catch {
    return null;
  }
}
