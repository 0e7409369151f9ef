import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import type { HttpCall, HttpClient } from "#connectors/toolkit/http-client.ts";
import { padId } from "#connectors/toolkit/records/pad-id.ts";
import { momentText } from "#connectors/toolkit/records/quote.ts";
import { readPages } from "#connectors/toolkit/records/read-pages.ts";
import { LARGEST_PAGE } from "../client.ts";
import { resourceEventLists } from "../payloads.ts";
import { recordForm } from "../record-form.ts";
import { dropAbsent, type NotesOrder } from "./back-up-notes.ts";

/**
 * Changes of labels, milestones and states of one issue or merge request. GitLab keeps them apart from the notes, in
 * three lists whose ids are independent of each other, so each has a folder in which ids are in the order of time.
 */
export async function* backUpEvents(
  client: HttpClient,
  order: NotesOrder,
): AsyncGenerator<BackupEvent, void> {
  const found = new Set<string>();
  for (const [list, schema] of Object.entries(resourceEventLists)) {
    const call: HttpCall = {
      method: "GET",
      path: `${order.thing}/resource_${list}_events`,
      query: { per_page: LARGEST_PAGE },
      about: order.about,
      missing: "forbidden",
    };
    for await (const { members } of readPages(client, call, schema)) {
      for (const { user, ...event } of members) {
        const path = `${order.folder}${list}/${padId(event.id)}.json`;
        found.add(path);
        const title = `${user?.name ?? "Somebody"}, ${momentText(event.created_at)}`;
        // `recordForm` drops `user`, which describes us in other answers.
        const value = recordForm({ ...event, author: user });
        yield { type: "record", path, kind: "event", title, parent: order.parent, value };
      }
    }
  }
  yield* dropAbsent(order, found);
}
