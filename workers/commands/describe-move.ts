import type { MoveEvent } from "#core/moves/index.ts";

/** What happened in a move, as a line for an operator. */
export function describeMove(event: MoveEvent): string {
  switch (event.type) {
    case "copied":
      return `\u00b7 ${event.changed} rows were made equal, the organisation ${event.isClosed ? "cannot write" : "works on"}.`;
    case "moved":
      return `\u2713 It moved from ${event.source} to ${event.target}. Call again in an hour to remove what it left.`;
    case "waits":
      return `\u00b7 Its rows in ${event.shard} can be removed from ${new Date(event.until).toISOString()} on.`;
    case "removed":
      return `\u2713 ${event.rows} rows were removed from ${event.shard}.`;
  }
}
