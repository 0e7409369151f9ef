import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { RestoreJournal, Session } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { openMaker } from "#connectors/toolkit/records/make-once.ts";
import { notionClient, paths } from "../client.ts";
import { recordPaths } from "../record-paths.ts";
import type { StoredSource } from "../records.ts";
import { openIdMap } from "./id-map.ts";
import { openLossBook } from "./loss-book.ts";
import type { RestoreIo } from "./restore-io.ts";
import { openMark } from "./restore-top.ts";
import { openUploader } from "./upload-file.ts";
import { foldersOf, readSource } from "./walk-version.ts";

/** Records of data sources that are kept at once. */
const MOST_SOURCES = 50;

/** An id that nothing has: a change of it tells whether changes are allowed, and changes nothing. */
const NOBODY = "00000000-0000-4000-8000-000000000000";

/**
 * Opens what the steps of a restore share.
 * @throws ConnectorError `forbidden` when the connection may not change content, before anything is made
 */
export async function openRestore(
  session: Session,
  snapshot: SnapshotView,
  journal: RestoreJournal,
): Promise<{ io: RestoreIo; mark: string }> {
  const client = notionClient(session);
  const { mark, isNew } = await openMark(journal);
  if (isNew) await requireUpdates({ client });
  const ids = openIdMap(journal);
  const losses = await openLossBook(journal);
  const emojis = new Set<string>();
  for await (const id of foldersOf(snapshot, recordPaths.emojis)) emojis.add(id);
  const sources = new Map<string, StoredSource>();
  const people = new Map<string, boolean>();
  const io: RestoreIo = {
    ...{ session, client, snapshot, journal, ids, losses },
    maker: openMaker(session, !isNew),
    uploader: openUploader({ session, client, snapshot, journal }),
    isThere: async (userId) => {
      const known = people.get(userId) ?? (await isThere(client, userId));
      people.set(userId, known);
      return known;
    },
    source: async (sourceId) => {
      const known = sources.get(sourceId) ?? (await readSource(snapshot, sourceId));
      if (sources.size >= MOST_SOURCES) sources.clear();
      sources.set(sourceId, known);
      return known;
    },
    references: {
      newId: (oldId) => ids.known(oldId),
      hasEmoji: (emojiId) => emojis.has(emojiId),
      told: (loss) => losses.tell(loss),
    },
  };
  return { io, mark };
}

/** Whether the connection may change what it makes: otherwise half of a restore would fail after it began. */
async function requireUpdates({ client }: Pick<RestoreIo, "client">): Promise<void> {
  try {
    const about = "the pages of the workspace";
    await client.send({ method: "PATCH", path: paths.page(NOBODY), body: { is_locked: false }, about });
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    if (error.kind !== "gone" && error.kind !== "unsupported") throw error;
  }
}

/** A connection that may not read people writes their ids as they are. */
async function isThere(client: RestoreIo["client"], userId: string): Promise<boolean> {
  try {
    await client.send({ method: "GET", path: paths.user(userId), about: "a person" });
    return true;
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    if (error.kind === "forbidden") return true;
    if (error.kind === "gone" || error.kind === "unsupported") return false;
    throw error;
  }
}
