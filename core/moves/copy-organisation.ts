import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { type Asker, writeClosed } from "./doors.store.ts";
import { MOVED_TABLES, type MovedTable } from "./moved-tables.store.ts";
import { equalise, findStretchEnd, type Key, readPage, startOf } from "./pages.store.ts";

/** The two ledgers of a copy, who makes it, and what is called after each page. */
export type Copy = {
  source: LedgerDatabase;
  target: LedgerDatabase;
  asker: Asker;
  afterPage: () => Promise<void>;
};

/**
 * Makes the organisation's rows at the target equal to those at the source, table by table, page by page. It needs no
 * position: a pass that was interrupted is repeated, and finds less to do.
 *
 * Triggers at the target fire as they did at the source, and count twice what is copied with its counts. A later table of
 * the same pass sets that right (`MOVED_TABLES`).
 *
 * @returns How many rows differed. 0 = the two are equal, if the source was closed all the while.
 * @throws Error when another command has the move, or it has ended
 */
export async function copyOrganisation(copy: Copy): Promise<number> {
  let changed = 0;
  for (const table of MOVED_TABLES) changed += await copyTable(copy, table);
  return changed;
}

/** Ends of pages come from the databases, in their own order of keys. */
async function copyTable(copy: Copy, table: MovedTable): Promise<number> {
  let changed = 0;
  for (let after: Key | null = startOf(table); after; ) {
    // As far as one statement can pass over the rows of other organisations, at the target and then at the source.
    const there = await findStretchEnd(copy.target, table, { after, to: null });
    const stretch: Key | null = (await findStretchEnd(copy.source, table, { after, to: there })) ?? there;
    changed += await copyStretch(copy, table, { after, to: stretch });
    after = stretch;
  }
  return changed;
}

async function copyStretch(
  { source, target, asker, afterPage }: Copy,
  table: MovedTable,
  stretch: { after: Key; to: Key | null },
): Promise<number> {
  const { organisationId } = asker;
  let changed = 0;
  for (let after = stretch.after; ; ) {
    const { rows, end } = await readPage(source, table, { organisationId, range: { after, to: stretch.to } });
    const range = { after, to: end ?? stretch.to };
    const results = await writeClosed(
      target,
      asker,
      "arriving",
      equalise(target, table, { organisationId, range, rows }),
    );
    changed += results.reduce((sum, { meta }) => sum + meta.changes, 0);
    await afterPage();
    if (end === null) return changed;
    after = end;
  }
}
