import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import { canonicalJson, type Json } from "#core/kernel/canonical-json.ts";
import { type MemorySnapshot, takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { recordPaths } from "../record-paths.ts";
import { BLOCKS_PER_RECORD } from "../records.ts";
import { pageHome, rowHome } from "./homes.ts";

type Members = { [name: string]: Json };

/** An id that is the same in every run. */
export const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

const AT = "2026-11-20T05:40:00.000Z";
const PLAIN = {
  bold: false,
  italic: false,
  strikethrough: false,
  underline: false,
  code: false,
  color: "default",
};

/** A piece of rich text as the API has it (`RichTextItemResponse`). */
export function piece(text: string, marks: Members = {}, href: string | null = null): Json {
  const link = href === null ? null : { url: href };
  return {
    ...{ type: "text", text: { content: text, link }, plain_text: text, href },
    annotations: { ...PLAIN, ...marks },
  };
}

/** A block of a test, with the blocks inside it. Its id follows from its position unless `facts` has one. */
export type TestBlock = { type: string; facts?: Members; text?: string; id?: string; inside?: TestBlock[] };

/** Builds a version of a workspace in the stored form, as a backup writes it. */
export class TestVersion {
  readonly events: BackupEvent[] = [];
  private roots: Json[] = [];
  private blockCount = 0;

  record(path: string, kind: string, value: Members, more: { title?: string; parent?: string } = {}): void {
    // What passes through the vault comes back as canonical JSON.
    this.events.push({
      type: "record",
      path,
      kind,
      value: JSON.parse(canonicalJson(value)) as Json,
      ...more,
    });
  }

  stream(path: string, title: string, text: string, parent?: string): void {
    const write = async (sink: { write(chunk: Uint8Array): Promise<void> | void }) =>
      await sink.write(new TextEncoder().encode(text));
    this.events.push({ type: "stream", path, kind: "file", title, write, ...(parent && { parent }) });
  }

  root(type: "page" | "database", ownId: string): this {
    this.roots.push({ type, id: ownId });
    return this;
  }

  /** A page with its blocks. `above` = the path of the entry above it. */
  page(
    ownId: string,
    title: string,
    blocks: TestBlock[] = [],
    { above, facts = {} }: { above?: string; facts?: Members } = {},
  ): this {
    const properties = { title: { id: "title", type: "title", title: title === "" ? [] : [piece(title)] } };
    this.home(pageHome(ownId).path, { id: ownId, kind: "page", title, properties, blocks, above, facts });
    return this;
  }

  /** A row, or with `kind` a template. `values` = its properties by name. */
  row(
    sourceId: string,
    ownId: string,
    title: string,
    values: Members = {},
    {
      blocks = [],
      kind = "row",
      ...facts
    }: Members & { blocks?: TestBlock[]; kind?: "row" | "template" } = {},
  ): this {
    const path = kind === "row" ? rowHome(sourceId, ownId).path : recordPaths.templateHome(sourceId, ownId);
    const properties = { Name: { id: "title", type: "title", title: [piece(title)] }, ...values };
    const above = recordPaths.source(sourceId);
    this.home(path, { id: ownId, kind, title, properties, blocks, above, facts });
    return this;
  }

  /** A database with one data source. `schema` = its properties by name, without the title. */
  table(
    databaseId: string,
    sourceId: string,
    title: string,
    schema: Members = {},
    { above, more = [], facts = {} }: { above?: string; more?: string[]; facts?: Members } = {},
  ): this {
    const sources = [sourceId, ...more].map((each) => ({ id: each, name: title }));
    const path = recordPaths.database(databaseId);
    const database = { object: "database", id: databaseId, title: [piece(title)], description: [], url: "" };
    const parent = above === undefined ? {} : { parent: above };
    if (more.length === 0 || !this.events.some((event) => "path" in event && event.path === path))
      this.record(
        path,
        "database",
        { ...database, data_sources: sources, icon: null, ...facts },
        { title, ...parent },
      );
    this.source(databaseId, sourceId, title, schema);
    return this;
  }

  source(databaseId: string, sourceId: string, title: string, schema: Members = {}): this {
    const name = { id: "title", name: "Name", type: "title", title: {} };
    const source = {
      object: "data_source",
      id: sourceId,
      title: [piece(title)],
      description: [],
      icon: null,
    };
    const parent = { type: "database_id", database_id: databaseId };
    this.record(
      recordPaths.source(sourceId),
      "data-source",
      { ...source, parent, properties: { Name: name, ...schema } },
      { title, parent: recordPaths.database(databaseId) },
    );
    return this;
  }

  view(databaseId: string, viewId: string, facts: Members): this {
    const view = { object: "view", id: viewId, parent: { type: "database_id", database_id: databaseId } };
    this.record(recordPaths.view(databaseId, viewId), "view", { ...view, created_time: AT, ...facts });
    return this;
  }

  user(ownId: string, name: string): this {
    this.record(recordPaths.user(ownId), "user", { object: "user", id: ownId, name }, { title: name });
    return this;
  }

  comment(home: string, ownId: string, text: string, facts: Members = {}): this {
    const more = { rich_text: [piece(text)], created_time: AT, last_edited_time: AT, discussion_id: id(1) };
    const comment = { object: "comment", id: ownId, ...more, ...facts };
    this.record(recordPaths.comment(home, ownId), "comment", comment, { parent: recordPaths.page(home) });
    return this;
  }

  async take(): Promise<MemorySnapshot> {
    this.record(recordPaths.roots, "roots", { roots: this.roots });
    this.record(recordPaths.workspace, "workspace", {
      id: id(0),
      name: "Operations",
      owner: null,
      notes: [],
    });
    this.record(recordPaths.state, "state", {});
    const { events } = this;
    return await takeSnapshot(
      (async function* () {
        yield* events;
      })(),
    );
  }

  private home(
    path: string,
    page: {
      id: string;
      kind: string;
      title: string;
      properties: Members;
      blocks: TestBlock[];
      above?: string | undefined;
      facts: Members;
    },
  ): void {
    const parent = page.above === undefined ? {} : { parent: page.above };
    const value = {
      ...{
        object: "page",
        id: page.id,
        parent: { type: "workspace", workspace: true },
        icon: null,
        cover: null,
      },
      ...{ created_time: AT, last_edited_time: AT, created_by: { object: "user", id: id(900) }, url: "" },
      properties: page.properties,
      ...page.facts,
    };
    this.record(recordPaths.page(path), page.kind, value, { title: page.title || "Untitled", ...parent });
    const stored = this.stored(page.blocks, { type: "page_id", page_id: page.id });
    for (let at = 0; at < stored.length; at += BLOCKS_PER_RECORD)
      this.record(
        recordPaths.blocks(path, at / BLOCKS_PER_RECORD),
        "blocks",
        { blocks: stored.slice(at, at + BLOCKS_PER_RECORD) },
        { parent: recordPaths.page(path) },
      );
  }

  private stored(blocks: readonly TestBlock[], parent: Members): Members[] {
    return blocks.flatMap(({ type, facts = {}, text, id: own, inside = [] }) => {
      this.blockCount += 1;
      const ownId = own ?? id(1_000_000 + this.blockCount);
      const words =
        text === undefined ? {} : { rich_text: text === "" ? [] : [piece(text)], color: "default" };
      const block = { object: "block", id: ownId, type, parent, has_children: inside.length > 0 };
      const below = this.stored(inside, { type: "block_id", block_id: ownId });
      return [{ ...block, [type]: { ...words, ...facts } }, ...below];
    });
  }
}
