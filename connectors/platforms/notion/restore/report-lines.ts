import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";

/** What is known of a version before its restore begins. */
export type Known = { hasComments: boolean; templates: number; isWhole: boolean };

/** Losses that every restore has; plan and report tell them in the same words. */
export function* knownLines({ hasComments, templates, isWhole }: Known): Generator<RestoreEvent, void> {
  yield impossible(
    "Creators and dates of pages, rows and blocks",
    "Notion shows the connected account and the day of the restore.",
  );
  yield impossible("History of pages", "Notion's API neither reads nor writes it.");
  yield impossible("Sharing and permissions", "Notion's API neither reads nor writes them.");
  if (hasComments) {
    yield {
      type: "changed",
      what: "Authors and times of comments",
      reason: "Each comment bears the name of its author; a line above the text tells the time.",
    };
  }
  if (isWhole && templates > 0) {
    yield impossible("Templates of tables", "Notion's API cannot make them; the backup keeps them.");
  }
}

function impossible(what: string, reason: string): RestoreEvent {
  return { type: "impossible", what, reason };
}
