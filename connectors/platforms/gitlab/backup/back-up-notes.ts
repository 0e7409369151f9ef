import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { HttpCall, HttpClient } from "#connectors/toolkit/http-client.ts";
import { padId } from "#connectors/toolkit/records/pad-id.ts";
import { momentText } from "#connectors/toolkit/records/quote.ts";
import { readPages } from "#connectors/toolkit/records/read-pages.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { LARGEST_PAGE } from "../client.ts";
import { discussionsSchema } from "../payloads.ts";
import { recordForm } from "../record-form.ts";

/** Which discussions to read, and where to store their notes. */
export type NotesOrder = {
  /** API path of the thing that has `/discussions`. */
  thing: string;
  about: string;
  /** Folder of the notes, with a trailing slash. */
  folder: string;
  parent: string;
  /** The version whose notes are kept, except those deleted since. null = none are kept. */
  kept: SnapshotView | null;
};

/** All notes of one thing, system notes included, each with its discussion. */
export async function* backUpNotes(client: HttpClient, order: NotesOrder): AsyncGenerator<BackupEvent, void> {
  const call: HttpCall = {
    method: "GET",
    path: `${order.thing}/discussions`,
    query: { per_page: LARGEST_PAGE },
    about: order.about,
    missing: "forbidden",
  };
  const found = new Set<string>();
  for await (const { members } of readPages(client, call, discussionsSchema)) {
    for (const { id, individual_note, notes } of members) {
      for (const note of notes) {
        const path = `${order.folder}${padId(note.id)}.json`;
        found.add(path);
        const value = {
          ...(recordForm(note) as { [key: string]: Json }),
          discussion_id: id,
          individual_note: individual_note ?? null,
        };
        const title = `${note.author?.name ?? "Somebody"}, ${momentText(note.created_at)}`;
        yield { type: "record", path, kind: "note", title, parent: order.parent, value };
      }
    }
  }
  yield* dropAbsent(order, found);
}

/** Drops what the kept version has in a folder and GitLab does not have any more. */
export async function* dropAbsent(
  { kept, folder }: Pick<NotesOrder, "kept" | "folder">,
  found: ReadonlySet<string>,
): AsyncGenerator<BackupEvent, void> {
  for await (const { path } of kept?.list(folder) ?? []) {
    if (!found.has(path)) yield { type: "drop", path };
  }
}
