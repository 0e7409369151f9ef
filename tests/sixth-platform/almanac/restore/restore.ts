import { z } from "zod";
import type {
  RestoredItem,
  RestoreJournal,
  RestoreOrder,
  Session,
} from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { readNote } from "#connectors/toolkit/records/read-note.ts";
import { almanacClient, bookAddress, siteOf } from "../client.ts";
import { recordPaths } from "../record-paths.ts";
import { matchedRegisters, readAnswers, TOP } from "./answers.ts";
import { knownLines } from "./report-lines.ts";
import type { Place, RestoreIo, RestoreStep } from "./restore-io.ts";
import { restoreThing } from "./restore-page.ts";
import { targetRegisters } from "./restore-questions.ts";
import { targetOf } from "./restore-register.ts";
import { restoreRow } from "./restore-rows.ts";
import { type Roots, rootsOf } from "./restored-part.ts";
import { bookOf, type TargetBook } from "./target-book.ts";
import { readThing, registersOf } from "./things-of.ts";

/**
 * Restores a book, or a page, register or row of one, as a new book or into one that exists, where it only adds. Every
 * request that makes something has an id, so Almanac makes it once however often a restore begins again.
 */
export async function* restore(
  session: Session,
  snapshot: SnapshotView,
  order: RestoreOrder,
  journal: RestoreJournal,
): RestoreStep<RestoredItem> {
  const roots = await rootsOf(snapshot, order);
  const answers = readAnswers(order);
  const isNew = order.target.kind === "new";
  const matches = isNew ? new Map() : matchedRegisters(answers.columns);
  const client = almanacClient(session);
  const base = { session, client, snapshot, journal, siteId: siteOf(session), mark: await markOf(journal) };
  const book = await bookOf({ ...base, answers }, order);
  const io: RestoreIo = {
    ...base,
    ...{ answers, matches, bookId: book.id, missingFiles: 0 },
    targets: await targetsOf(session, book, matches.size > 0),
    counts: { page: 0, register: 0, row: 0, comment: 0, file: 0 },
  };
  const made = yield* restoreRoots(io, roots, {
    parentId: isNew || answers.under === TOP ? null : answers.under,
    slot: null,
    prefix: isNew ? "" : answers.prefix,
  });
  yield* tellAll(io, { isNew, isWhole: order.part === null });
  for (const line of knownLines(await registersOf(snapshot, order), {
    hasComments: answers.comments && (snapshot.counts().comment ?? 0) > 0,
    hasReaders: order.part === null && (snapshot.counts().readers ?? 0) > 0,
    matches,
  }))
    yield line;
  if (order.part === null || made === null) return restoredBook(session, book);
  const title = (await snapshot.find(order.part))?.title ?? "";
  const name = isNew ? title : `${answers.prefix}${title}`;
  const webUrl = bookAddress(session.config, book.id, made);
  return { externalId: made, name, fullName: `${book.name}: ${name}`, webUrl };
}

/** The beginning of every request's id, the same for each attempt of this restore. */
async function markOf(journal: RestoreJournal): Promise<string> {
  const known = await readNote(journal, "mark", z.string());
  if (known !== null) return known;
  const mark = crypto.randomUUID();
  await journal.record("mark", mark);
  return mark;
}

async function targetsOf(session: Session, { id }: TargetBook, isMatched: boolean) {
  const registers = isMatched ? await targetRegisters(session, id) : [];
  return new Map(registers.map((register) => [register.id, register]));
}

/** Restores what the order names. @returns the new id of the last thing; null when there was none */
async function* restoreRoots(io: RestoreIo, roots: Roots, place: Place): RestoreStep<string | null> {
  let made: string | null = null;
  if (roots.type === "things") {
    for (const root of roots.things) {
      const thing = await readThing(io.snapshot, root);
      if (thing !== null) made = yield* restoreThing(io, thing, place);
    }
    return made;
  }
  const { id, registerId } = roots.row;
  const thing = await readThing(io.snapshot, { type: "register", id: registerId });
  if (thing?.type !== "register") return null;
  const { register } = thing;
  const into = await targetOf(io, register, { ...place, prefix: "" });
  return await restoreRow(io, { register, into, prefix: place.prefix }, recordPaths.row(registerId, id));
}

/** What was restored, and what was not. */
async function* tellAll(
  { counts, snapshot, missingFiles }: RestoreIo,
  { isNew, isWhole }: { isNew: boolean; isWhole: boolean },
): RestoreStep {
  if (isNew) yield { type: "restored", kind: "book", count: 1 };
  for (const [kind, count] of Object.entries(counts)) if (count > 0) yield { type: "restored", kind, count };
  const lost = isWhole ? (snapshot.counts().page ?? 0) - counts.page : 0;
  if (lost > 0) {
    const reason = "They were moved while the backup ran, and stand at no place in this version.";
    yield { type: "missing", what: lost === 1 ? "1 page" : `${lost} pages`, reason };
  }
  if (missingFiles > 0) {
    const what = missingFiles === 1 ? "1 file" : `${missingFiles} files`;
    yield { type: "missing", what, reason: "The version does not hold their bytes." };
  }
}

function restoredBook({ config }: Session, { id, name }: TargetBook): RestoredItem {
  return { externalId: id, name, fullName: `${name} (${id})`, webUrl: bookAddress(config, id) };
}
