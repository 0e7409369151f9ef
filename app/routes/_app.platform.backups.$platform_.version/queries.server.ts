import { renderMarkdown } from "#app/markdown/render-markdown.server.ts";
import {
  type BoardPage,
  canRestoreParts,
  describeVersion,
  type EntryPage,
  listEntries,
  openBoard,
  openForReading,
  openTrees,
  type RecordPage,
  readable,
  readBoardPage,
  readRecordPage,
  readTreePage,
  type TreePage,
  type VersionFacts,
} from "#core/browsing/index.ts";
import { getItem } from "#core/inventory/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { type Member, mayManage } from "#core/organisations/index.ts";
import type { Services } from "#workers/services.ts";
import type { VersionAddress } from "./address.ts";

/** A record for the page. Texts are Markdown rendered on the server; null = plain text. */
export type ShownRecord = { page: RecordPage; html: string | null; childHtml: (string | null)[] };

/** The data of a version's page. */
export type VersionPageData = {
  /** Null for members who may not read versions. */
  facts: VersionFacts | null;
  /** Why the place cannot be shown. */
  problem: string | null;
  itemId: string;
  snapshotId: string;
  itemName: string;
  hasFiles: boolean;
  hasBoard: boolean;
  /** Cards and columns can be restored individually. */
  canRestoreParts: boolean;
  entries: EntryPage | null;
  record: ShownRecord | null;
  tree: (TreePage & { html: string | null }) | null;
  board: (BoardPage & { html: string | null }) | null;
  timeZone: string;
  now: number;
};

const MARKDOWN = /\.(md|markdown|mdown|mkd)$/i;

/** Reads the place of a version that the address names. @throws AppError `err.not.found`, `err.version.unreadable` */
export async function readVersionPage(
  services: Services,
  member: Member,
  platform: string,
  address: VersionAddress & { itemId: string; snapshotId: string },
): Promise<VersionPageData> {
  const { itemId, snapshotId } = address;
  const item = await getItem(services, member, { itemId });
  if (item.platform !== platform) throw new AppError("err.not.found");
  const data: VersionPageData = {
    facts: null,
    problem: null,
    itemId,
    snapshotId,
    itemName: item.name,
    hasFiles: false,
    hasBoard: false,
    canRestoreParts: false,
    entries: null,
    record: null,
    tree: null,
    board: null,
    timeZone: member.timeZone,
    now: services.clock.now(),
  };
  if (!(await mayManage(services, member, platform))) return data;
  try {
    await readable(() => fill(services, member, address, data));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "err.version.unreadable") throw error;
    data.problem = error.message;
  }
  return data;
}

async function fill(
  services: Services,
  member: Member,
  address: VersionAddress & { itemId: string; snapshotId: string },
  data: VersionPageData,
): Promise<void> {
  const { itemId, snapshotId } = address;
  const open = await openForReading(services, member, { itemId, snapshotId });
  const { view, connector } = open;
  const words = connector.entryKinds;
  data.facts = describeVersion(open);
  data.hasFiles = connector.fileTrees !== undefined;
  data.hasBoard = connector.boardView !== undefined;
  data.canRestoreParts = canRestoreParts(open);
  if (address.view === "record") {
    const page = await readRecordPage(view, words, { path: address.path, after: address.after });
    data.record = {
      page,
      html: page.readable.body === null ? null : renderMarkdown(page.readable.body),
      childHtml: page.children.map(({ readable }) =>
        readable.body === null ? null : renderMarkdown(readable.body),
      ),
    };
  } else if (address.view === "inside" && connector.boardView) {
    const page = await readBoardPage(openBoard(connector, view), address);
    data.board = { ...page, html: page.facts.text === "" ? null : renderMarkdown(page.facts.text) };
  } else if (address.view === "inside" && connector.fileTrees) {
    const trees = await openTrees(connector, view);
    if (trees.length > 0) {
      const page = await readTreePage(trees, address);
      const { at } = page;
      const isPage =
        at?.type === "file" && at.body.type === "text" && !at.body.isCut && MARKDOWN.test(at.name);
      const text = isPage && at.body.type === "text" && !address.isSource ? at.body.text : null;
      data.tree = { ...page, html: text === null ? null : renderMarkdown(text) };
    } else data.hasFiles = false;
  }
  if (data.record === null && data.tree === null && data.board === null)
    data.entries = await listEntries(view, words, address);
}
