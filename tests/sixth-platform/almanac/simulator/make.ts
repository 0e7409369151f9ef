import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Block, Child, Comment, Page, Register, Row } from "../payloads.ts";
import { missing, Refused } from "./refused.ts";
import { type AlmanacWorld, newId, type StoredBook, type StoredFile } from "./state.ts";

type Place = { parentId: string | null; slot: string | null };
type Author = { author: string | null; at?: string };

/** Makes a book without content. */
export function makeBook(
  world: AlmanacWorld,
  order: Pick<StoredBook, "siteId" | "name" | "description" | "sharing">,
): StoredBook {
  const empty = { contents: [], pages: [], registers: [], rows: [], comments: [], files: [] };
  const book: StoredBook = { id: newId(world.state, "bk"), ...order, ...empty };
  world.state.books.push(book);
  return book;
}

/** Makes a page and puts it into its place. @throws Refused */
export function makePage(
  world: AlmanacWorld,
  book: StoredBook,
  order: Place &
    Author &
    Pick<Page, "title" | "icon" | "isArchived" | "properties" | "blocks"> & { fileIds: string[] },
): Page {
  const { parentId, slot, fileIds, author, at = now(), ...own } = order;
  const id = newId(world.state, "pg");
  const files = filesOf(book, fileIds);
  const page: Page = { id, parentId, ...own, author, createdAt: at, editedAt: at, files };
  putIn(book, { type: "page", id }, { parentId, slot });
  book.pages.push(page);
  return page;
}

/** Makes a register and puts it into its place. @throws Refused */
export function makeRegister(
  world: AlmanacWorld,
  book: StoredBook,
  { slot, ...own }: Place & Omit<Register, "id" | "parentId">,
): Register {
  const register: Register = { id: newId(world.state, "rg"), ...own };
  putIn(book, { type: "register", id: register.id }, { parentId: own.parentId, slot });
  book.registers.push(register);
  return register;
}

/** Adds a row at the end of a register. Keys count per register. @throws Refused */
export function makeRow(
  world: AlmanacWorld,
  book: StoredBook,
  order: Author &
    Pick<Row, "registerId" | "title" | "isArchived" | "cells" | "blocks"> & { fileIds: string[] },
): Row {
  const { fileIds, author, at = now(), ...own } = order;
  const register = book.registers.find(({ id }) => id === own.registerId);
  if (!register) throw missing("register");
  for (const [columnId, cell] of Object.entries(own.cells)) {
    const column = register.columns.find(({ id }) => id === columnId);
    if (column?.type !== cell.type) throw new Refused(400, `The cell ${columnId} does not fit its column.`);
  }
  const number = book.rows.filter(({ registerId }) => registerId === register.id).length + 1;
  const files = filesOf(book, fileIds);
  const id = newId(world.state, "rw");
  const row: Row = { id, key: `R-${number}`, ...own, author, createdAt: at, editedAt: at, files };
  book.rows.push(row);
  return row;
}

/** Adds a comment to a page or row. @throws Refused */
export function makeComment(
  world: AlmanacWorld,
  book: StoredBook,
  order: Author & Pick<Comment, "on" | "text"> & Partial<Pick<Comment, "answers" | "reactions">>,
): Comment {
  const { on, text, author, at = now(), answers = null, reactions = [] } = order;
  const isThere =
    on.pageId === null
      ? book.rows.some(({ id, registerId }) => id === on.rowId && registerId === on.registerId)
      : book.pages.some(({ id }) => id === on.pageId);
  if (!isThere) throw missing("page or row");
  const comment: Comment = {
    ...{ id: newId(world.state, "cm"), on, answers, author, at, editedAt: null, text, reactions },
  };
  book.comments.push(comment);
  return comment;
}

/** Stores a file that a page or row may then use. */
export function makeFile(world: AlmanacWorld, book: StoredBook, name: string, bytes: Uint8Array): StoredFile {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const file = { id: newId(world.state, "fl"), name, sizeBytes: bytes.length, sha256 };
  mkdirSync(path.join(world.directory, "files"), { recursive: true });
  writeFileSync(filePath(world, file.id), bytes);
  book.files.push(file);
  return file;
}

/** The bytes of a stored file. */
export function bytesOf(world: AlmanacWorld, { id }: StoredFile): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(filePath(world, id)));
}

function filePath({ directory }: AlmanacWorld, id: string): string {
  return path.join(directory, "files", id);
}

function filesOf(book: StoredBook, ids: readonly string[]): StoredFile[] {
  return ids.map((id) => {
    const file = book.files.find((known) => known.id === id);
    if (!file) throw new Refused(400, `There is no file ${id}.`);
    return file;
  });
}

/** Fills the slot of a page, or stands at its end; without a page at the end of the book. */
function putIn(book: StoredBook, child: Child, { parentId, slot }: Place): void {
  if (parentId === null) {
    book.contents.push(child);
    return;
  }
  const parent = book.pages.find(({ id }) => id === parentId);
  if (!parent) throw missing("page");
  const at = parent.blocks.findIndex((block) => block.type === "slot" && block.name === slot);
  const block: Block = child;
  if (at < 0) parent.blocks.push(block);
  else parent.blocks[at] = block;
}

const now = () => new Date().toISOString();
