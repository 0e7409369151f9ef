import { z } from "zod";
import type {
  RestoredItem,
  RestoreEvent,
  RestoreJournal,
  RestoreTarget,
  Session,
} from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";
import { openMaker } from "#connectors/toolkit/records/make-once.ts";
import { MEMBERS_QUOTA, paths, trelloClient } from "../client.ts";
import { accountSchema, boardSchema } from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";
import { restoreCards } from "./restore-cards.ts";
import { restoreFrame } from "./restore-frame.ts";
import type { RestoreIo } from "./restore-io.ts";
import { tellKept } from "./restore-kept.ts";
import { archiveLists } from "./restore-lists.ts";
import { restoreSettings } from "./restore-settings.ts";
import { createTarget, wasBegun } from "./restore-target.ts";

/**
 * Restores a version as a NEW board in the chosen workspace: labels, lists and custom fields, then the cards one by one
 * with everything on them; lists are archived last. Each creation is journaled before the next one, so a replay
 * continues and creates nothing twice.
 */
export async function* restore(
  session: Session,
  snapshot: SnapshotView,
  target: RestoreTarget,
  journal: RestoreJournal,
): AsyncGenerator<RestoreEvent, RestoredItem> {
  const source = boardSchema.parse(await snapshot.readRecord(recordPaths.board));
  const client = trelloClient(session);
  const maker = openMaker(session, await wasBegun(journal));
  const memberId = await readMemberId(session, client);
  const created = yield* createTarget({ session, client, journal }, { source, target });
  const io: RestoreIo = { session, client, snapshot, journal, maker, boardId: created.externalId, memberId };
  const frame = yield* restoreFrame(io);
  yield* restoreCards(io, frame);
  yield* archiveLists(io, frame);
  yield* restoreSettings(io, source);
  yield* tellKept(io);
  return created;
}

const detailsSchema = z.object({ memberId: z.string() });

/** The member id of the connected account, from the connection's details or else from Trello. */
export async function readMemberId(session: Session, client: HttpClient): Promise<string> {
  const details = detailsSchema.safeParse(session.connectionDetails);
  if (details.success) return details.data.memberId;
  const query = { fields: "id,username,fullName" };
  const call = {
    method: "GET",
    path: paths.me,
    query,
    about: "your account",
    quota: MEMBERS_QUOTA.resource,
  } as const;
  return (await client.request(call, accountSchema)).id;
}
