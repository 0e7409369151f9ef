import type { Json } from "#core/kernel/canonical-json.ts";
import { type Fields, type Pair, pairUp, recordsOf } from "#tests/conformance/coverage/expect-restored.ts";
import type { MemorySnapshot } from "#tests/conformance/memory-snapshot.ts";
import { propertyKey } from "../property-key.ts";
import { type BlockNode, readBlocks } from "../read/block-tree.ts";
import { recordPaths } from "../record-paths.ts";
import type { StoredSource } from "../records.ts";
import { objectOf, objectsOf } from "./json-parts.ts";
import { namedExpression } from "./schemas.ts";

/** What a restore made of each thing of a version. */
export type Counterparts = {
  pages: readonly Pair[];
  blocks: readonly Pair[];
  databases: readonly Pair[];
  sources: readonly Pair[];
  views: readonly Pair[];
  comments: readonly Pair[];
  /** A value with the original's ids in place of the copy's, and with the bytes of files in place of their paths. */
  plain: (value: Json) => Json;
};

/** The text of rich text. */
export const wordsOf = (texts: Json | undefined) =>
  objectsOf(texts)
    .map(({ plain_text: words }) => words)
    .join("");

/**
 * Pairs the things of a version with what a restore made of them: pages, rows, tables, views and comments by their
 * texts, which have to differ, and blocks by their places.
 * @throws when a thing has no counterpart
 */
export async function counterpartsOf(before: MemorySnapshot, after: MemorySnapshot): Promise<Counterparts> {
  const originals = new Map<string, string>();
  const note = (copy: Json | undefined, original: Json | undefined) => {
    for (const form of [String, bare, propertyOf]) originals.set(form(copy), form(original));
  };
  const noteAll = (pairs: readonly Pair[]) => {
    for (const pair of pairs) note(pair.after.id, pair.before.id);
    return pairs;
  };
  const both = async (kind: string, isSame: (one: Fields, copy: Fields) => boolean) =>
    noteAll(pairUp(await recordsOf(before, kind), await recordsOf(after, kind), isSame));
  const sameTitle = (one: Fields, copy: Fields) => titleOf(one) === titleOf(copy);
  const databases = await both("database", sameTitle);
  const sources = await both("data-source", sameTitle);
  for (const pair of sources) noteProperties(pair, note);
  const pages = [...(await both("page", sameTitle)), ...(await both("row", sameTitle))];
  const blocks: Pair[] = [];
  const children: Pair[] = [];
  for (const page of pages) {
    const nodes = async (version: MemorySnapshot, of: Fields) =>
      (await readBlocks(version, homeOf(of))).nodes;
    const [ones, copies] = [await nodes(before, page.before), await nodes(after, page.after)];
    blocks.push(...byPlace(ones.filter(isBlock), copies.filter(isBlock)));
    const inside = (all: readonly BlockNode[]) =>
      all.filter((node) => !isBlock(node)).map(({ block }) => block);
    children.push(
      ...pairUp(inside(ones), inside(copies), ({ id }, copy) => originals.get(String(copy.id)) === id),
    );
  }
  noteAll(blocks);
  const isInSame = (one: Fields, copy: Fields) => {
    const [place, copied] = [one, copy].map(({ parent }) => objectOf(parent).database_id);
    return place === originals.get(String(copied));
  };
  return {
    ...{ pages, blocks: [...blocks, ...children], databases, sources },
    views: await both("view", (one, copy) => one.name === copy.name && isInSame(one, copy)),
    comments: await both("comment", (one, copy) => wordsOf(copy.rich_text).endsWith(wordsOf(one.rich_text))),
    plain: (value) => plainOf(value, { originals, hashes: hashesOf(before, after), sources }),
  };
}

/** The form of an id in an address. */
const bare = (id: Json | undefined) =>
  String(id).length === 36 ? String(id).replaceAll("-", "") : String(id);
const propertyOf = (id: Json | undefined) => propertyKey(String(id));

/** The title of a database, a data source, a page or a row. */
function titleOf({ title, properties }: Fields): string {
  const ofPage = Object.values(objectOf(properties)).map(objectOf);
  return wordsOf(title ?? ofPage.find(({ type }) => type === "title")?.title);
}

function homeOf({ id, parent }: Fields): string {
  const source = objectOf(parent).data_source_id;
  return source === undefined
    ? recordPaths.pageHome(String(id))
    : recordPaths.rowHome(String(source), String(id));
}

function noteProperties({ before, after }: Pair, note: (copy: Json, original: Json) => void): void {
  const copies = objectOf(after.properties);
  for (const [name, property] of Object.entries(objectOf(before.properties))) {
    const [one, copy] = [property, copies[name]].map(objectOf) as [Fields, Fields];
    if (one.id !== "title") note(copy.id ?? null, one.id ?? null);
    const optionsOf = (of: Fields) => objectsOf(objectOf(of[String(of.type)]).options);
    for (const option of optionsOf(one)) {
      const copied = optionsOf(copy).find((each) => each.name === option.name);
      if (copied !== undefined) note(copied.id ?? null, option.id ?? null);
    }
  }
}

/** Pages and tables inside a page are records of their own. */
const isBlock = ({ block: { type } }: BlockNode) => type !== "child_page" && type !== "child_database";

/** Blocks at the same places. */
function byPlace(nodes: readonly BlockNode[], copies: readonly BlockNode[]): Pair[] {
  return nodes.flatMap(({ block, children }, index) => {
    const copy = copies[index];
    if (copy === undefined) throw new Error(`nothing was made from ${JSON.stringify(block).slice(0, 500)}`);
    return [{ before: block, after: copy.block }, ...byPlace(children, copy.children)];
  });
}

/** The hash of each file, by its path. */
function hashesOf(...versions: readonly MemorySnapshot[]): ReadonlyMap<string, string> {
  const files = versions.flatMap(({ entries }) => [...entries.values()]);
  return new Map(files.map(({ info }) => [info.path, info.hash]));
}

type Words = {
  originals: ReadonlyMap<string, string>;
  hashes: ReadonlyMap<string, string>;
  sources: readonly Pair[];
};

function plainOf(value: Json, words: Words): Json {
  const { originals, hashes } = words;
  const nameOf = (text: string) => originals.get(text) ?? hashes.get(text) ?? text;
  if (typeof value === "string")
    return nameOf(value).replace(/[0-9a-f]{32}$/, (id) => originals.get(id) ?? id);
  if (Array.isArray(value)) return value.map((each) => plainOf(each, words));
  if (value === null || typeof value !== "object") return value;
  // What a mention says, Notion computes from what it names.
  const left = ["address", ...(value.type === "mention" ? ["plain_text"] : [])];
  const members = Object.entries(value).filter(([name, member]) => member !== null && !left.includes(name));
  return Object.fromEntries(
    members
      .map(([name, member]): [string, Json] => [
        nameOf(name),
        name === "expression" ? named(member, words) : plainOf(member, words),
      ])
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/** A formula by the names of its properties. */
function named(expression: Json, { sources }: Words): Json {
  const tables = sources.flatMap(({ before, after }) => [before, after] as unknown as StoredSource[]);
  return tables.reduce((text, table) => namedExpression(text, table), String(expression));
}
