import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { RestoreOrder } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";

/** Yields the paths of the cards to restore: all, or the ordered one. @throws ConnectorError `unsupported` */
export async function* cardsOfOrder(
  snapshot: SnapshotView,
  { part }: Pick<RestoreOrder, "part">,
): AsyncIterable<string> {
  if (part === null) {
    for await (const { path } of snapshot.list("cards/")) yield path;
    return;
  }
  const entry = await snapshot.find(part);
  if (entry?.kind !== "card") throw new ConnectorError("unsupported", "Only cards can be restored alone.");
  yield part;
}
