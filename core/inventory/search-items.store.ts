import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { statement } from "#core/database/statements.ts";
import type { ItemRow } from "./items.store.ts";

export type SearchQuery = {
  organisationId: string;
  /** The lists that are searched: an account and a kind of items each. */
  lists: readonly { connectionId: string; kind: string }[];
  /** In lower case. A name must contain every one. */
  words: readonly string[];
  limit: number;
};

/** What a found item tells about itself. `rank` is 0 for a name that begins with the first word. */
export type SearchRow = Pick<
  ItemRow,
  | "id"
  | "platform"
  | "kind"
  | "connectionId"
  | "name"
  | "fullName"
  | "nameFolded"
  | "status"
  | "lastBackupAt"
  | "activeRunKind"
  | "backupNowOpensAt"
> & { rank: number };

/**
 * The statement of a search: names that begin with the words first, then by name. It walks the names of the given lists
 * in their index and reads the rows of the answer only. Exported for its test.
 */
export function searchStatement(
  ledger: LedgerDatabase,
  { organisationId, lists, words, limit }: SearchQuery,
): D1PreparedStatement {
  // instr instead of LIKE: D1 limits a pattern to 50 bytes, and no letter has a meaning.
  const contains = words.map((_, at) => `AND instr(named.name_folded, ?${at + 4}) > 0`).join(" ");
  return statement(
    ledger,
    `SELECT item.id, item.platform, item.kind, item.connection_id AS connectionId, item.name,
       item.full_name AS fullName, item.name_folded AS nameFolded, item.status, item.last_backup_at AS lastBackupAt,
       item.active_run_kind AS activeRunKind, item.backup_now_opens_at AS backupNowOpensAt, found.rank
     FROM (SELECT named.id, named.name_folded, instr(named.name_folded, ?4) > 1 AS rank
       FROM json_each(?2) list CROSS JOIN item named INDEXED BY item_name ON named.organisation_id = ?1
         AND named.connection_id = list.value->>0 AND named.kind = list.value->>1
       WHERE 1 ${contains} ORDER BY rank, named.name_folded, named.id LIMIT ?3) found
     CROSS JOIN item ON item.id = found.id
     ORDER BY found.rank, found.name_folded, found.id`,
    organisationId,
    JSON.stringify(lists.map(({ connectionId, kind }) => [connectionId, kind])),
    limit,
    ...words,
  );
}

/** Finds items of an organisation by name in one ledger. */
export async function searchItemRows(ledger: LedgerDatabase, query: SearchQuery): Promise<SearchRow[]> {
  return (await searchStatement(ledger, query).all<SearchRow>()).results;
}
