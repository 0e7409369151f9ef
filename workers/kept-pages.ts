import { MINUTE_MS } from "#core/kernel/clock.ts";

/** A page is cached at most this long, counted from before its data was read. */
const KEPT_MS = MINUTE_MS;
const MOST_CHARACTERS = 8_000_000;
const LARGEST_PAGE = 400_000;

/** What differs between two answers of one page. */
type Marks = { nonce: string; requestId: string };

type Kept = { text: string; marks: Marks; until: number };

/**
 * A cache of rendered pages in the memory of an isolate. A key must contain everything that a page depends on: session,
 * URL, the headers that loaders read, and the organisation's revision.
 */
export function createKeptPages() {
  const kept = new Map<string, Kept>();
  let characters = 0;
  const remove = (key: string) => {
    characters -= kept.get(key)?.text.length ?? 0;
    kept.delete(key);
  };
  return {
    /** The page with the marks of a new answer; null when none is kept. */
    find(key: string, marks: Marks, now: number): string | null {
      const page = kept.get(key);
      if (!page) return null;
      if (page.until <= now) {
        remove(key);
        return null;
      }
      // Both marks are random, so nothing else in a page equals them.
      return page.text
        .replaceAll(page.marks.nonce, marks.nonce)
        .replaceAll(page.marks.requestId, marks.requestId);
    },
    /** Keeps a page whose reads began at `readAt`. The oldest ones make room. */
    keep(key: string, text: string, marks: Marks, readAt: number): void {
      if (text.length > LARGEST_PAGE) return;
      remove(key);
      kept.set(key, { text, marks, until: readAt + KEPT_MS });
      characters += text.length;
      for (const oldest of kept.keys()) {
        if (characters <= MOST_CHARACTERS) break;
        remove(oldest);
      }
    },
  };
}
