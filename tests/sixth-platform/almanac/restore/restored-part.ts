import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { RestoreOrder } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { bookRecordSchema, type Child } from "../payloads.ts";
import { type Named, readPath, recordPaths } from "../record-paths.ts";

/** What a restore begins with: the things at the top of the book, one of its things, or one row. */
export type Roots =
  | { type: "things"; things: readonly Child[] }
  | { type: "row"; row: Extract<Named, { type: "row" }> };

/** Reads what an order names. @throws ConnectorError `unsupported` for a part of another kind */
export async function rootsOf(snapshot: SnapshotView, { part }: Pick<RestoreOrder, "part">): Promise<Roots> {
  if (part === null) {
    const { contents } = bookRecordSchema.parse(await snapshot.readRecord(recordPaths.book));
    return { type: "things", things: contents };
  }
  const named = (await snapshot.find(part)) === null ? null : readPath(part);
  if (named?.type === "page" || named?.type === "register") return { type: "things", things: [named] };
  if (named?.type === "row") return { type: "row", row: named };
  throw new ConnectorError("unsupported", "Only pages, registers and rows can be restored alone.");
}
