import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { addComment, deleteAction } from "#connectors/platforms/trello/simulator/actions.ts";
import { attachFile, deleteAttachment } from "#connectors/platforms/trello/simulator/attachments.ts";
import { createBoard, deleteBoard } from "#connectors/platforms/trello/simulator/boards.ts";
import { createCard, deleteCard, editCard, moveCard } from "#connectors/platforms/trello/simulator/cards.ts";
import { createList } from "#connectors/platforms/trello/simulator/lists.ts";
import { oauthApp } from "#connectors/platforms/trello/simulator/oauth.ts";
import { restApp } from "#connectors/platforms/trello/simulator/rest/rest-app.ts";
import { seedWorld } from "#connectors/platforms/trello/simulator/seed.ts";
import {
  type Board,
  emptyState,
  type Member,
  type TrelloWorld,
} from "#connectors/platforms/trello/simulator/state.ts";
import { storageHost } from "#connectors/platforms/trello/simulator/storage-host.ts";
import { findMember, indexOf } from "#connectors/platforms/trello/simulator/store.ts";
import { DEFAULT_TRELLO_SETTINGS } from "#connectors/platforms/trello/simulator/trello-simulator.ts";
import type { Dice } from "#tests/harness/dice.ts";
import { type Facts, factsOf } from "./board-facts.ts";

const API = "https://trello.simulated.test";
const STORAGE = "https://files.simulated.test";
/** Where the consent page leads back to. */
export const CALLBACK = "https://app.example.test/connect/trello/callback";
const LOGIN = "nora_lindqvist";

/** The variables that lead the product here. */
export const PLATFORM_VARS = {
  TRELLO_API_URL: `${API}/1`,
  TRELLO_URL: API,
  TRELLO_AUTH_URL: API,
  TRELLO_CLIENT_ID: DEFAULT_TRELLO_SETTINGS.clientId,
  TRELLO_CLIENT_SECRET: DEFAULT_TRELLO_SETTINGS.clientSecret,
  TRELLO_API_KEY: DEFAULT_TRELLO_SETTINGS.apiKey,
};

/** What a board held from a time on. */
type Held = { at: number; facts: Facts };

/** The simulated Trello of a world: the product's own simulator, called in this process, and what it held when. */
export type Platform = {
  answer(request: Request): Promise<Response>;
  /** Signs the account's owner in and returns the address that the consent page leads back to. */
  consent(url: string): Promise<URL>;
  addBoard(name: string): string;
  /** Changes something on a board, as people do. */
  change(boardId: string, roll: Dice): void;
  /** Writes a text on the board, or removes it again. */
  write(boardId: string, text: string): void;
  unwrite(boardId: string, text: string): void;
  removeBoard(boardId: string): void;
  isGone(boardId: string): boolean;
  /** All that the board held at some time of an interval. */
  heldDuring(boardId: string, from: number, to: number): Facts[];
  boardsNamed(name: string): Facts[];
  close(): void;
};

/** Opens a Trello without boards. */
export function openPlatform(now: () => number): Platform {
  const directory = mkdtempSync(path.join(tmpdir(), "holdfast-simulation-"));
  const state = emptyState();
  const world: TrelloWorld = {
    state,
    // Whether the product keeps to the limits is judged by the simulation, which counts every call itself.
    settings: { ...DEFAULT_TRELLO_SETTINGS, callbacks: [CALLBACK], freeBoardLimit: 10_000 },
    directory,
    url: API,
    storageUrl: STORAGE,
    index: indexOf(state),
    windows: new Map(),
    spoils: [],
    save: () => {},
    refuse: () => {},
  };
  seedWorld(world, "people");
  const nora = findMember(world, LOGIN) as Member;
  const rest = restApp(world);
  const signIn = oauthApp(world);
  const storage = storageHost(world);
  const held = new Map<string, Held[]>();
  const boardOf = (id: string) => world.state.boards.find((board) => board.id === id);
  const note = (id: string) => {
    const board = boardOf(id);
    if (board) held.set(id, [...(held.get(id) ?? []), { at: now(), facts: factsOf(board) }]);
  };
  const answer: Platform["answer"] = async (request) => {
    const url = new URL(request.url);
    if (url.origin === STORAGE) return storage.fetch(request);
    if (!url.pathname.startsWith("/1/")) return signIn.fetch(request);
    url.pathname = url.pathname.slice(2);
    return rest.fetch(new Request(url, request));
  };
  return {
    answer,
    async consent(url) {
      const form = new URLSearchParams([
        ...new URL(url).searchParams,
        ["login", LOGIN],
        ["decision", "authorize"],
      ]);
      const page = new URL(url);
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      const response = await signIn.fetch(
        new Request(`${page.origin}${page.pathname}`, { method: "POST", body: String(form), headers }),
      );
      const back = response.headers.get("location");
      if (back === null) throw new Error(`The consent page did not agree: ${await response.text()}`);
      return new URL(back);
    },
    addBoard(name) {
      const organization = world.state.organizations[0]!;
      const order = {
        name,
        desc: `About ${name}`,
        organization,
        hasDefaultLists: false,
        hasDefaultLabels: false,
      };
      const board = createBoard(world, nora, order);
      for (const list of ["To do", "Done"]) createList(world, board, nora, { name: list, place: "bottom" });
      for (const card of ["First", "Second", "Third"]) {
        const made = createCard(world, board, nora, { list: board.lists[0]!, name: `${card} of ${name}` });
        addComment(world, board, { card: made, by: nora, text: `A remark on ${card}` });
      }
      const bytes = Buffer.from(`The plan of ${name}. `.repeat(20));
      attachFile(world, board, nora, {
        card: board.cards[0]!,
        name: "plan.txt",
        mimeType: "text/plain",
        bytes,
      });
      note(board.id);
      return board.id;
    },
    change(id, roll) {
      const board = boardOf(id);
      if (board) changeSomething(world, board, { by: nora, roll, at: now() });
      note(id);
    },
    write(id, text) {
      const board = boardOf(id);
      if (board) createCard(world, board, nora, { list: board.lists[0]!, name: text });
      note(id);
    },
    unwrite(id, text) {
      const board = boardOf(id);
      const card = board?.cards.find(({ name }) => name === text);
      if (board && card) deleteCard(world, board, nora, card);
      note(id);
    },
    removeBoard(id) {
      const board = boardOf(id);
      if (board) deleteBoard(world, board);
    },
    isGone: (id) => boardOf(id) === undefined,
    heldDuring(id, from, to) {
      const all = held.get(id) ?? [];
      const first = all.findLastIndex(({ at }) => at <= from);
      return all.filter(({ at }, index) => index >= first && at <= to).map(({ facts }) => facts);
    },
    boardsNamed: (name) =>
      world.state.boards.filter((board) => board.name === name).map((board) => factsOf(board)),
    close: () => rmSync(directory, { recursive: true, force: true }),
  };
}

type Change = { by: Member; roll: Dice; at: number };

function changeSomething(world: TrelloWorld, board: Board, { by, roll, at }: Change): void {
  const card = board.cards[roll(board.cards.length)];
  const words = `${at.toString(36)} ${roll(1_000)}`;
  const comments = board.actions.filter(({ type }) => type === "commentCard");
  const comment = comments[roll(Math.max(1, comments.length))];
  const list = board.lists[roll(board.lists.length)]!;
  switch (card ? roll(8) : 0) {
    case 0:
      createCard(world, board, by, { list, name: `Card ${words}`, desc: `Written at ${words}` });
      break;
    case 1:
      editCard(world, board, by, { card: card!, desc: `Described at ${words}` });
      break;
    case 2:
      editCard(world, board, by, { card: card!, name: `Renamed at ${words}` });
      break;
    case 3:
      addComment(world, board, { card: card!, by, text: `Said at ${words}` });
      break;
    // An edited comment is not among them: where its card changed too, the connector sees it only once a week.
    case 4:
      if (comment) deleteAction(world, board, comment);
      break;
    case 5:
      moveCard(world, board, by, { card: card!, board, list });
      break;
    case 6:
      if (board.cards.length > 4) deleteCard(world, board, by, card!);
      break;
    default: {
      const [old] = card!.attachments;
      if (old && roll(2) === 0) deleteAttachment(world, board, by, { card: card!, attachment: old });
      else attachFile(world, board, by, { card: card!, name: `${words}.txt`, bytes: Buffer.from(words) });
    }
  }
}
