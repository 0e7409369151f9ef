import { configureSync, type LogRecord } from "@logtape/logtape";

/** What the product says about itself, apart from what it shows. */
export type Complaints = {
  /** Errors since the last question that nothing in the world has caused, one sentence each. */
  faults(): string[];
};

/** Weather says so of itself. A command of a move may meet another one, and a write to a ledger that is being left fails. */
const CAUSED = /simulated|is moving to|NOT NULL constraint failed: (moving_organisation|ledger_move)/;
/** What became of work whose own errors were logged before, and of checks where the world makes verdicts old. */
const CONSEQUENCES = /were given up|has fallen behind|days behind/;

/**
 * Listens to the product's log. A fault that only the log knows is one all the same: a duty that fails each time is never
 * done, and only the log reports it.
 */
export function listenToLog(note: (line: string) => void): Complaints {
  let found: string[] = [];
  const hear = (record: LogRecord) => {
    const said = record.message.join("");
    const causes = causesOf(record.properties.cause);
    note(`log ${record.level} ${said}${causes === "" ? "" : `: ${causes}`}`.replaceAll("\n", " "));
    if (record.level !== "error" && record.level !== "fatal") return;
    if (!CONSEQUENCES.test(said) && !CAUSED.test(causes)) found.push(`the log says: ${said}: ${causes}`);
  };
  configureSync({
    reset: true,
    sinks: { world: hear },
    loggers: [
      { category: "holdfast", lowestLevel: "warning", sinks: ["world"] },
      { category: ["logtape", "meta"], lowestLevel: "error", sinks: ["world"] },
    ],
  });
  return {
    faults() {
      const said = [...new Set(found)].slice(0, 3);
      found = [];
      return said;
    },
  };
}

/** What an error and its causes say. */
export function causesOf(error: unknown): string {
  if (typeof error === "string") return error;
  const said: string[] = [];
  for (let each = error; each instanceof Error; each = each.cause) said.push(each.message);
  return said.join(": ");
}
