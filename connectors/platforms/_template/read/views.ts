import type {
  BoardCardDetail,
  BoardColumn,
  BoardView,
  BoardWords,
  SearchedCard,
} from "#connectors/contract/board-view.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { View } from "#connectors/contract/view.ts";
import { boardSchema, cardSchema } from "../payloads.ts";

/** The platform's boards have no columns of their own. */
const COLUMN: BoardColumn = { id: "cards", path: null, title: "Cards", isArchived: false };
/** What the platform calls the things on its boards. */
const WORDS: BoardWords = {
  card: { one: "card", many: "cards" },
  column: { one: "column", many: "columns" },
  people: "members",
  away: "archived",
};
const NO_NOTES = { notes: [], next: null };

/** Returns the only view, the board. Screens, comparisons and the API need nothing else. */
export async function views(snapshot: SnapshotView): Promise<readonly View[]> {
  return [{ kind: "board", id: "board", label: "Board", open: async () => boardView(snapshot) }];
}

function boardView(snapshot: SnapshotView): BoardView {
  return {
    words: WORDS,
    async facts() {
      const { name, description } = boardSchema.parse(await snapshot.readRecord("board.json"));
      return { title: name, text: description ?? "", url: null, isArchived: false };
    },
    columns: async () => [COLUMN],
    async *cards() {
      for await (const { path } of snapshot.list("cards/")) {
        const {
          text,
          url: _url,
          fields: _fields,
          checklists: _lists,
          files: _files,
          ...front
        } = await read(snapshot, path);
        yield { ...front, words: text } satisfies SearchedCard;
      }
    },
    async card(id) {
      const path = `cards/${id}.json`;
      return (await snapshot.find(path)) === null ? null : await read(snapshot, path);
    },
    comments: async () => NO_NOTES,
    comment: async () => null,
    history: async () => NO_NOTES,
    roleOf: ({ path, kind }) =>
      kind === "card" ? { role: "part", id: path.slice("cards/".length, -".json".length) } : null,
  };
}

async function read(snapshot: SnapshotView, path: string): Promise<BoardCardDetail> {
  const { id, title, text, position } = cardSchema.parse(await snapshot.readRecord(path));
  return {
    ...{ id, path, columnId: COLUMN.id, rank: position, key: null, title, text, hasText: text !== "" },
    ...{ isArchived: false, role: null, isDone: false, startAt: null, dueAt: null, url: null },
    ...{ cover: null, checks: null, commentCount: 0, fileCount: 0 },
    ...{ tags: [], people: [], badges: [], fields: [], checklists: [], files: [] },
  };
}
