import { shortLine } from "#connectors/toolkit/records/restore-stage.ts";
import type { TrelloCard } from "../payloads.ts";
import type { Frame } from "./frame.ts";
import type { RestoreIo } from "./restore-io.ts";

/** Progress of one card; journaled after each step. */
export type CardState = {
  /** New id. */
  id: string;
  url: string | null;
  shortLink: string;
  /** Number of completed steps. */
  done: number;
  /** New ids of its checklists and attachments, by old id. */
  made: Record<string, string>;
  counts: Record<string, number>;
  lines: { type: "changed" | "impossible" | "missing"; what: string; reason: string }[];
};

/** Adds a report line to a card, shortened for the journal: a card may have thousands. */
export function addLine(state: CardState, line: CardState["lines"][number]): void {
  state.lines.push(shortLine(line));
}

/** A step of a card's restore, one or two calls. When it succeeds, the report counts its `kind`. */
export type CardStep = { what: string; kind: string | null; run: () => Promise<void> };

/** The restore of one card, once it is created. */
export type CardRestore = { io: RestoreIo; frame: Frame; card: TrelloCard; state: CardState };
