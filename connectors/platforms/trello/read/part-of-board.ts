import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { readSome } from "#connectors/toolkit/records/sample-folder.ts";
import {
  cardSchema,
  customFieldSchema,
  labelSchema,
  listSchema,
  type TrelloCard,
  type TrelloCustomField,
  type TrelloLabel,
  type TrelloList,
} from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";
import type { CardEntry } from "../restore/restore-cards.ts";

/** A card or list of a version, with what its cards reference. */
export type PartOfBoard = {
  kind: "card" | "list";
  list: TrelloList;
  /** Sorted by path. */
  cards: (CardEntry & { card: TrelloCard })[];
  /** Only those on its cards. */
  labels: TrelloLabel[];
  /** Only those that have values on its cards. */
  fields: TrelloCustomField[];
};

/** Reads one card, or one list with its cards. @throws ConnectorError `unsupported` for any other entry */
export async function readPart(snapshot: SnapshotView, path: string): Promise<PartOfBoard> {
  const entry = await snapshot.find(path);
  if (entry?.kind !== "card" && entry?.kind !== "list") throw notAPart();
  const cards: PartOfBoard["cards"] = [];
  let list: TrelloList;
  if (entry.kind === "card") {
    const card = cardSchema.parse(await snapshot.readRecord(path));
    cards.push({ path, title: card.name, card });
    list = await readList(snapshot, card.idList);
  } else {
    list = listSchema.parse(await snapshot.readRecord(path));
    for await (const { path: at, kind, title } of snapshot.list(recordPaths.cards)) {
      if (kind !== "card") continue;
      const card = cardSchema.parse(await snapshot.readRecord(at));
      if (card.idList === list.id) cards.push({ path: at, title: title ?? "", card });
    }
  }
  const labelIds = new Set(cards.flatMap(({ card }) => card.idLabels));
  const fieldIds = new Set(
    cards.flatMap(({ card }) => card.customFieldItems.map((item) => item.idCustomField)),
  );
  return {
    kind: entry.kind,
    list,
    cards,
    labels: await readSome(await pathsBelow(snapshot, recordPaths.labels, labelIds), async (at) =>
      labelSchema.parse(await snapshot.readRecord(at)),
    ),
    fields: await readSome(await pathsBelow(snapshot, recordPaths.customFields, fieldIds), async (at) =>
      customFieldSchema.parse(await snapshot.readRecord(at)),
    ),
  };
}

function notAPart(): ConnectorError {
  return new ConnectorError("unsupported", "Only cards and lists can be restored by themselves.");
}

/** A card's list. A list that the version lacks gets the name `Restored`. */
async function readList(snapshot: SnapshotView, listId: string): Promise<TrelloList> {
  const path = `${recordPaths.lists}${listId}.json`;
  if ((await snapshot.find(path)) === null)
    return listSchema.parse({ id: listId, name: "Restored", closed: false, pos: 0 });
  return listSchema.parse(await snapshot.readRecord(path));
}

async function pathsBelow(
  snapshot: SnapshotView,
  prefix: string,
  ids: ReadonlySet<string>,
): Promise<string[]> {
  const paths: string[] = [];
  for await (const { path } of snapshot.list(prefix)) {
    if (ids.has(path.slice(prefix.length).replace(/\.json$/, ""))) paths.push(path);
  }
  return paths;
}
