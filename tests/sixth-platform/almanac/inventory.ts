import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { PlatformConnector, PlatformItem } from "#connectors/contract/platform-connector.ts";
import { almanacClient, listPages, paths, siteOf } from "./client.ts";
import { type Book, bookSchema } from "./payloads.ts";

/** The books of a site. A site has no places. */
export const inventory: Pick<PlatformConnector, "listPlaces" | "listItems" | "getItem"> = {
  async listPlaces() {
    return { items: [], total: 0, hasMore: false };
  },

  /** Almanac filters by name and gives cursors; a page of ours is counted from the start. */
  async listItems(session, { kind, name, page, perPage }) {
    refuseUnknownKind(kind);
    const query: Record<string, string> = name === null ? {} : { name };
    const call = { path: paths.books(siteOf(session)), query, about: "your books" };
    const [first, end] = [page * perPage, (page + 1) * perPage];
    const items: PlatformItem[] = [];
    let count = 0;
    for await (const { items: books } of listPages(almanacClient(session), call, bookSchema)) {
      for (const book of books) {
        if (count >= first && count < end) items.push(bookItem(book));
        count += 1;
      }
      if (count > end) break;
    }
    return { items, total: null, hasMore: count > end };
  },

  async getItem(session, { kind, externalId }) {
    refuseUnknownKind(kind);
    const path = paths.book(siteOf(session), externalId);
    const call = { method: "GET", path, about: "this book" } as const;
    return bookItem(await almanacClient(session).request(call, bookSchema));
  },
};

/** Converts a book to an item. Its full name ends with its id, which gives the page's URL. */
export function bookItem(
  book: Pick<Book, "id" | "name" | "description" | "sharing" | "sizeBytes" | "counts">,
) {
  return {
    kind: "book",
    externalId: book.id,
    name: book.name,
    fullName: `${book.name} (${book.id})`,
    description: book.description || null,
    sizeHintBytes: book.sizeBytes,
    details: { sharing: book.sharing, pageCount: book.counts.page },
  } satisfies PlatformItem;
}

function refuseUnknownKind(kind: string): void {
  if (kind !== "book") throw new ConnectorError("unsupported", `Almanac has no items of the kind ${kind}.`);
}
