import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type {
  PlatformConnector,
  PlatformItem,
  RestoreEvent,
  RestoreOrder,
} from "#connectors/contract/platform-connector.ts";
import type { RestoreQuestion } from "#connectors/contract/restore-question.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { openPlanSheet } from "#connectors/toolkit/records/plan-sheet.ts";

/** A board: its columns, and each card with its column. */
export type ColumnBoard = {
  name: string;
  columns: { id: string; name: string }[];
  cards: { title: string; column: string }[];
};

const entryKinds = {
  board: { one: "board", many: "boards" },
  card: { one: "card", many: "cards" },
};
const boardSchema = z.object({ columns: z.array(z.object({ id: z.string(), name: z.string() })) });
const cardSchema = z.object({ title: z.string(), column: z.string() });
const answersSchema = z.object({ columns: z.record(z.string(), z.string().nullable()).catch({}) });

/**
 * A platform whose versions can only be restored into existing boards, with a question that matches columns. It
 * replaces the connector `instead` and uses its connection. `boards` is the state of the platform.
 */
export function columnBoards(
  instead: PlatformConnector,
  boards: Map<string, ColumnBoard>,
): PlatformConnector {
  const boardOf = (id: string): ColumnBoard => {
    const board = boards.get(id);
    if (!board) throw new ConnectorError("gone", `There is no board ${id}.`);
    return board;
  };
  const itemOf = (id: string): PlatformItem => ({
    ...{ kind: "repository", externalId: id, nodeId: null, name: boardOf(id).name, fullName: id },
    ...{ description: null, visibility: "private", sizeHintBytes: null, details: null },
  });
  return {
    ...instead,
    descriptor: {
      ...instead.descriptor,
      supports: {
        ...instead.descriptor.supports,
        restores: {
          whole: ["existing"],
          parts: { kinds: ["card"], into: ["existing"] },
          needsAnswers: true,
        },
      },
    },
    entryKinds,
    verify: undefined,
    cloneRoots: undefined,
    listItems: async (_session, { name }) => {
      const ids = [...boards.keys()].filter((id) => name === null || boardOf(id).name.includes(name));
      return { items: ids.map(itemOf), total: ids.length, hasMore: false };
    },
    getItem: async (_session, { externalId }) => itemOf(externalId),
    async *backUp(_session, { item }) {
      const { columns, cards } = boardOf(item.externalId);
      yield { type: "record", path: "board.json", kind: "board", value: { columns } };
      for (const [index, card] of cards.entries())
        yield { type: "record", path: `cards/${index}.json`, kind: "card", title: card.title, value: card };
    },
    async *exportFiles(snapshot) {
      for await (const { path } of snapshot.list()) yield { path, source: "entry", entry: path };
    },
    restoreQuestions: async (_session, snapshot, { target }) => {
      if (target.kind === "new") throw new ConnectorError("unsupported", "Boards cannot be created.");
      return [await columnsQuestion(snapshot, boardOf(target.item.externalId))];
    },
    planRestore: async (_account, snapshot, order) => {
      const sheet = openPlanSheet(entryKinds, []);
      const cards = order.part === null ? (snapshot.counts().card ?? 0) : 1;
      sheet.creates("card", cards);
      sheet.spend({ writes: cards, creations: cards });
      return sheet.done();
    },
    async *restore(_session, snapshot, order, journal) {
      if (order.target.kind === "new") throw new ConnectorError("unsupported", "Boards cannot be created.");
      const id = order.target.item.externalId;
      const { columns } = answersSchema.parse(order.answers);
      const board = boardOf(id);
      let count = 0;
      for await (const path of pathsOf(snapshot, order)) {
        const { title, column } = cardSchema.parse(await snapshot.readRecord(path));
        if ((await journal.find(path)) === null) {
          board.cards.push({ title, column: columns[column] ?? board.columns[0]!.id });
          await journal.record(path, true);
        }
        count += 1;
        yield { type: "checkpoint" } satisfies RestoreEvent;
      }
      yield { type: "restored", kind: "card", count };
      return { ...itemOf(id), webUrl: `https://boards.example/${id}` };
    },
  };
}

async function columnsQuestion(snapshot: SnapshotView, target: ColumnBoard): Promise<RestoreQuestion> {
  const { columns } = boardSchema.parse(await snapshot.readRecord("board.json"));
  const sameName = (name: string) => target.columns.find((column) => column.name === name)?.id ?? null;
  return {
    ...{ type: "matching", name: "columns", label: "Match columns", help: "", isRequired: true },
    things: { one: "column", many: "columns" },
    left: columns.map(({ id, name }) => ({ id, label: name })),
    right: target.columns.map(({ id, name }) => ({ id, label: name })),
    default: Object.fromEntries(columns.map(({ id, name }) => [id, sameName(name)])),
    suggested: [],
  };
}

async function* pathsOf(snapshot: SnapshotView, { part }: RestoreOrder): AsyncIterable<string> {
  if (part !== null) yield part;
  else for await (const { path } of snapshot.list("cards/")) yield path;
}
