import { readerOf, readSearch } from "#app/version/address.ts";
import { shownText } from "#app/version/shown-texts.server.ts";
import {
  describeVersion,
  type EntryPage,
  type KindCount,
  listEntries,
  type OpenVersion,
  type RecordPage,
  readable,
  readRecordPage,
} from "#core/browsing/index.ts";

/** Parameters of the record list, or the path of an open record. */
export type RecordsAddress = {
  kind: string | null;
  search: string | null;
  after: string | null;
  /** Path of the open record; null = the list. */
  path: string | null;
};

/** A record with its Markdown rendered as HTML; null = plain text. */
export type ShownRecord = { page: RecordPage; html: string | null; childHtml: (string | null)[] };

/** A list of records, or one of them. */
export type RecordsData = {
  kinds: KindCount[];
  entries: EntryPage | null;
  record: ShownRecord | null;
};

/** Reads the parameters from the query. */
export function readRecordsAddress(query: URLSearchParams): RecordsAddress {
  const text = readerOf(query);
  return { kind: text("kind"), search: readSearch(query), after: text("after"), path: text("path") };
}

/** Reads a list of records, or one record with its children. @throws AppError `err.not.found` */
export async function readRecords(open: OpenVersion, address: RecordsAddress): Promise<RecordsData> {
  const { view, connector } = open;
  const { kinds } = describeVersion(open);
  const words = connector.entryKinds;
  const { path, after } = address;
  return await readable(async () => {
    if (path === null) return { kinds, entries: await listEntries(view, words, address), record: null };
    const page = await readRecordPage(view, words, { path, after });
    const htmlOf = ({ readable: { body } }: { readable: { body: string | null } }) =>
      body === null ? null : shownText(body);
    return {
      kinds,
      entries: null,
      record: { page, html: htmlOf(page), childHtml: page.children.map(htmlOf) },
    };
  });
}
