import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { RestoredItem, RestoreJournal } from "#connectors/contract/platform-connector.ts";
import { readNote } from "#connectors/toolkit/records/read-note.ts";
import { paths, webPage } from "../client.ts";
import { recordPaths } from "../record-paths.ts";
import type { JsonObject } from "./json-parts.ts";
import { findMarked, makeNode } from "./make-node.ts";
import { type Place, titleFor, titleProperty } from "./node-draft.ts";
import { patch, post } from "./notion-calls.ts";
import { titleOf } from "./property-values.ts";
import type { RestoreIo } from "./restore-io.ts";
import { plainText, textPieces } from "./rich-text.ts";
import { type Node, readPage } from "./walk-version.ts";

const topSchema = z.object({ id: z.string(), isNamed: z.boolean() });
const TOP = "top";
const MARK = "mark";

/** The mark of this restore: the first title of what it makes first, by which that is found if the answer is lost. */
export async function openMark(journal: RestoreJournal): Promise<{ mark: string; isNew: boolean }> {
  const known = await readNote(journal, MARK, z.string());
  if (known !== null) return { mark: known, isNew: false };
  const mark = `Holdfast restore ${crypto.randomUUID()}`;
  await journal.record(MARK, mark);
  return { mark, isNew: true };
}

/** Makes the page below which a whole version is restored. */
export async function makeTopPage(io: RestoreIo, order: { name: string; mark: string }): Promise<string> {
  const { name, mark } = order;
  const known = await readNote(io.journal, TOP, topSchema);
  const place: Place = { type: "workspace", workspace: true };
  const titled = (title: string): JsonObject => ({
    properties: { title: { title: textPieces(title, null) } },
  });
  const id =
    known?.id ??
    (
      await io.maker.make<{ id: string }>({
        look: () => findMarked(io, place, mark),
        create: () => post(io.client, paths.pages, { parent: { ...place }, ...titled(mark) }, "the new page"),
      })
    ).id;
  if (known === null) await io.journal.record(TOP, { id, isNamed: false });
  if (known?.isNamed) return id;
  await patch(io.client, paths.page(id), titled(name), "the new page");
  await io.journal.record(TOP, { id, isNamed: true });
  return id;
}

/** Makes the page, row or database of a part. `name`: its title as a new one; null = the title that it has. */
export async function makeTopPart(
  io: RestoreIo,
  { node, place, name, mark }: { node: Node; place: Place; name: string | null; mark: string },
): Promise<string> {
  const { id } = await makeNode(io, { node, place, mark }).catch((error: unknown) =>
    missingPlace(error, place),
  );
  const known = await readNote(io.journal, TOP, topSchema);
  if (known?.isNamed) return id;
  if (node.kind === "database") {
    const { title } = (await io.snapshot.readRecord(recordPaths.database(node.id))) as JsonObject;
    const own = name === null ? titleFor(io, title, null) : textPieces(name, null);
    await patch(io.client, paths.database(id), { title: own }, "the new database");
  } else {
    const page = await readPage(io.snapshot, node.home);
    const own = name === null ? titleFor(io, titleOf(page), null) : textPieces(name, null);
    const property = place.type === "data_source_id" ? titleProperty(page) : "title";
    await patch(io.client, paths.page(id), { properties: { [property]: { title: own } } }, "the new page");
  }
  await io.journal.record(TOP, { id, isNamed: true });
  return id;
}

/** Says that what was chosen to restore into is not there. */
function missingPlace(error: unknown, { type }: Place): never {
  if (!(error instanceof ConnectorError) || error.kind !== "gone" || type === "workspace") throw error;
  const message =
    type === "data_source_id"
      ? "The table that the row came from is no longer in the workspace. Choose a page instead."
      : "The page that was chosen is no longer in the workspace, or the connection does not cover it.";
  throw new ConnectorError("unsupported", message, { cause: error });
}

/** What people look for: the new page or database. */
export function restoredItem({ session }: RestoreIo, id: string, name: string): RestoredItem {
  return { externalId: id, name, fullName: name, webUrl: webPage(session.config, id) };
}

/** The title of a part. */
export async function nameOfPart(
  { snapshot }: Pick<RestoreIo, "snapshot">,
  node: Pick<Node, "kind" | "id" | "home">,
): Promise<string> {
  const title =
    node.kind === "database"
      ? ((await snapshot.readRecord(recordPaths.database(node.id))) as JsonObject).title
      : titleOf(await readPage(snapshot, node.home));
  return plainText(title) || "Untitled";
}
