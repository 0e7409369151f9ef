import { shortLine } from "#connectors/toolkit/records/restore-part.ts";
import type { Frame } from "./frame.ts";
import type { TrelloCard } from "./payloads.ts";
import type { RestoreIo } from "./restore-io.ts";

/** How far a card came; kept in the journal after each step. */
export type CardState = {
  /** New id. */
  id: string;
  url: string | null;
  shortLink: string;
  /** Steps that are behind it. */
  done: number;
  /** New ids of its checklists and attachments, by the old ones. */
  made: Record<string, string>;
  counts: Record<string, number>;
  lines: { type: "changed" | "impossible" | "missing"; what: string; reason: string }[];
};

/** Adds a line to what the report says of a card, short enough for the journal: a card may have thousands. */
export function addLine(state: CardState, line: CardState["lines"][number]): void {
  state.lines.push(shortLine(line));
}

/** One call, or two, of a card's restore. `kind` is counted in the report when it succeeds. */
export type CardStep = { what: string; kind: string | null; run: () => Promise<void> };

/** The restore of one card that was created. */
export type CardRestore = { io: RestoreIo; frame: Frame; card: TrelloCard; state: CardState };
