import { comparable, comparableView, OF_LEDGER } from "#tests/harness/ledger-tables.ts";
import type { DeployedWorker } from "./deployed-worker.ts";
import { type Home, SHARDS } from "./region-ledgers.ts";

/** Judges how the organisation moves between ledgers. Each function returns one sentence per broken promise. */
export type MoveJudge = {
  /** After every commit: only the ledger where it lives takes its writes, and a move loses and doubles nothing. */
  lookAtStep(): string[];
  /** What it has left is as it was, or goes. */
  look(): string[];
  /** Every move has ended, and nothing is left of it. */
  lookAtRest(): string[];
  moves(): number;
};

type Door = { state: string; is_closed: number; epoch: number };

/** Opens the judge. All rows in the region's ledgers are of the one organisation of the world. */
export function openMoveJudge(worker: DeployedWorker): MoveJudge {
  const { ledgers, control } = worker;
  let home = ledgers.home();
  let moves = 0;
  /** The rows that a ledger had when the organisation had left it first, with the epoch of that move. */
  let left: { shard: Home; epoch: number; rows: ReadonlySet<string> } | null = null;

  const tables = ledgers.DE.rows<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  )
    .map(({ name }) => name)
    .filter((name) => !OF_LEDGER.includes(name))
    .map(comparableView);
  const rowsOf = (shard: Home) =>
    new Set(
      tables.flatMap((name) =>
        ledgers[shard]
          .rows<Record<string, unknown>>(`SELECT * FROM "${name}"`)
          .map((row) => `${name} ${JSON.stringify(comparable(row), asText)}`),
      ),
    );
  const doorOf = (shard: Home) =>
    ledgers[shard].rows<Door>("SELECT state, is_closed, epoch FROM moving_organisation")[0];
  const isClosed = (shard: Home) => doorOf(shard)?.is_closed === 1;

  /** The ledger that was left is closed, so nobody has changed it since the last pass. */
  const judgeMove = (from: Home, to: Home): string[] => {
    const [was, is] = [rowsOf(from), rowsOf(to)];
    return [
      ...missing(was, is).map((row) => `the move to ${to} has lost ${row}`),
      ...missing(is, was).map((row) => `the move to ${to} has added ${row}`),
    ];
  };

  return {
    lookAtStep() {
      const faults: string[] = [];
      const [now, away] = [ledgers.home(), ledgers.away()];
      if (now !== home) {
        moves += 1;
        faults.push(...judgeMove(home, now));
        home = now;
      }
      if (!isClosed(away) && ledgers.hasRows(away))
        faults.push(`the organisation is in ${now}, and ${away} has rows of it and takes writes`);
      return faults;
    },
    look() {
      const shard = ledgers.away();
      const door = doorOf(shard);
      if (door?.state !== "left") {
        left = null;
        return [];
      }
      const rows = rowsOf(shard);
      if (left?.shard !== shard || left.epoch !== door.epoch) left = { shard, epoch: door.epoch, rows };
      // An operator removes them.
      if (rows.size < left.rows.size) return [];
      return missing(rows, left.rows).map((row) => `${shard}, which was left, was written to: ${row}`);
    },
    lookAtRest: () => [
      ...control
        .rows<{ state: string }>("SELECT state FROM ledger_move WHERE state <> 'done'")
        .map(({ state }) => `a move does not end: it is ${state}`),
      ...(isClosed(ledgers.home()) ? [`${ledgers.home()} stays closed`] : []),
      ...SHARDS.filter((shard) => shard !== ledgers.home()).flatMap((shard) =>
        [
          ...rowsOf(shard),
          ...ledgers[shard]
            .rows<{ id: string }>("SELECT item_id AS id FROM numbered_item")
            .map(({ id }) => id),
        ].map((row) => `${shard}, which was left, still has ${row}`),
      ),
    ],
    moves: () => moves,
  };
}

const asText = (_: string, value: unknown) =>
  value instanceof ArrayBuffer ? Buffer.from(value).toString("base64") : value;

/** What is in the first and not in the second. */
const missing = (rows: ReadonlySet<string>, from: ReadonlySet<string>) =>
  [...rows].filter((row) => !from.has(row));
