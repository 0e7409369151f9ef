import type { Json } from "#core/kernel/canonical-json.ts";
import { MINUTE_MS } from "#core/kernel/clock.ts";
import { newId } from "./ids.ts";
import { pageUrl } from "./render.ts";
import { keptFile } from "./sign-files.ts";
import type { Block, Database, DataSource, Fields, NotionWorld, Page } from "./state.ts";
import {
  createBlock,
  createComment,
  createDatabase,
  createDataSource,
  createPage,
  createView,
  keepFile,
} from "./store.ts";

type Marks = {
  bold?: true;
  italic?: true;
  strikethrough?: true;
  underline?: true;
  code?: true;
  color?: string;
};

/** A piece of rich text as answers show it. */
export function text(content: string, marks: Marks = {}, href: string | null = null): Fields {
  const plain = { bold: false, italic: false, strikethrough: false, underline: false, code: false };
  return {
    ...{ type: "text", text: { content, link: href === null ? null : { url: href } } },
    ...{ annotations: { ...plain, color: "default", ...marks }, plain_text: content, href },
  };
}

/** A mention or an equation within rich text. */
export function inline(
  type: "mention" | "equation",
  value: Fields,
  plain: string,
  href: string | null = null,
): Fields {
  const { annotations } = text("");
  return { type, [type]: value, annotations: annotations ?? null, plain_text: plain, href };
}

/** A mention of a page. */
export const pageMention = (world: NotionWorld, id: string, title: string): Fields =>
  inline("mention", { type: "page", page: { id } }, title, pageUrl(world, id));

const richOf = (content: string | readonly Fields[]): Json[] =>
  typeof content === "string" ? (content === "" ? [] : [text(content)]) : [...content];

/** Writes pages, tables and comments of a seed. Time passes by a minute with each. */
export function seedKit(world: NotionWorld, workspaceId: string, startAt: number) {
  let at = startAt;
  let step = MINUTE_MS;
  const next = () => {
    at += step;
    return at;
  };
  const block = (by: string, parentId: string, type: string, payload: Fields): Block =>
    createBlock(world, { parentId, type, payload, by, at: next() });

  return {
    world,
    next,
    block,

    /** Stops the clock: what is made from now on has the same time. */
    hold(): void {
      step = 0;
    },

    /** A page below another, or at the top. */
    page(
      by: string,
      parentId: string | null,
      title: string,
      more: { icon?: Json; cover?: Json; isLocked?: boolean } = {},
    ): Page {
      const values = { title: { type: "title", title: richOf(title) } };
      const place = parentId === null ? { workspaceId } : { parentId };
      return createPage(world, { ...place, values, by, at: next(), ...more });
    },

    /** A block whose content is a text. */
    write(
      by: string,
      parentId: string,
      type: string,
      content: string | readonly Fields[],
      more: Fields = {},
    ): Block {
      // Paragraphs have an icon, which is mostly null. Evidence: the recordings.
      const icon: Fields = type === "paragraph" ? { icon: null } : {};
      return block(by, parentId, type, { rich_text: richOf(content), ...icon, color: "default", ...more });
    },

    /** A table with a header row. */
    table(by: string, parentId: string, rows: readonly (readonly string[])[]): Block {
      const width = rows[0]?.length ?? 1;
      const facts = { table_width: width, has_column_header: true, has_row_header: false };
      const table = block(by, parentId, "table", facts);
      for (const row of rows) block(by, table.id, "table_row", { cells: row.map((cell) => richOf(cell)) });
      return table;
    },

    /** A file in the workspace, as payloads and values hold it. */
    file(name: string, contentType: string, bytes: Uint8Array): Fields {
      return keptFile(keepFile(world, { workspaceId, name, contentType, bytes }));
    },

    /** A database with one data source. `schema`: properties by id. */
    database(
      by: string,
      parentId: string | null,
      title: string,
      schema: Record<string, Fields>,
      more: { icon?: Json; cover?: Json; isInline?: boolean; description?: string } = {},
    ): { database: Database; source: DataSource } {
      const { description = "", ...facts } = more;
      const place = parentId === null ? { workspaceId } : { parentId };
      const named = { title: richOf(title), description: richOf(description) };
      const database = createDatabase(world, { ...place, ...named, by, at: next(), ...facts });
      const source = this.source(by, database, title, schema);
      source.icon = more.icon ?? null;
      return { database, source };
    },

    /** A further data source of a database. */
    source(by: string, { id }: Database, title: string, schema: Record<string, Fields>): DataSource {
      const properties = Object.fromEntries(
        Object.entries(schema).map(([key, { name, type, ...config }]) => [
          key,
          { id: key, name: name ?? "", description: null, type: type ?? "", [String(type)]: {}, ...config },
        ]),
      );
      return createDataSource(world, { databaseId: id, title: richOf(title), properties, by, at: next() });
    },

    /** A row with the given bare values by property id. */
    row(
      by: string,
      source: DataSource,
      values: Record<string, Json>,
      more: { icon?: Json; cover?: Json; kind?: "row" | "template" } = {},
    ): Page {
      const typed = Object.entries(values).map(([id, value]) => {
        const type = String(source.properties[id]?.type);
        const isText = type === "title" || type === "rich_text";
        return [id, { type, [type]: isText && typeof value === "string" ? richOf(value) : value }];
      });
      const { kind = "row", ...facts } = more;
      const parentId = source.id;
      return createPage(world, {
        parentId,
        kind,
        values: Object.fromEntries(typed),
        by,
        at: next(),
        ...facts,
      });
    },

    /** A custom emoji of the workspace, as icons and mentions name it. */
    emoji(name: string, bytes: Uint8Array): { emoji_id: string } {
      const known = Object.values(world.state.emojis).find(
        (each) => each.workspaceId === workspaceId && each.name === name,
      );
      if (known) return { emoji_id: known.id };
      const file = keepFile(world, { workspaceId, name: `${name}.png`, contentType: "image/png", bytes });
      const id = newId(world.state);
      world.state.emojis[id] = { id, workspaceId, name, fileId: file.id };
      return { emoji_id: id };
    },

    view(by: string, database: Database, dataSourceId: string, body: Fields) {
      return createView(world, { databaseId: database.id, dataSourceId, body, by, at: next() });
    },

    /** A comment of a person. */
    comment(by: string, onId: string, content: string | readonly Fields[], discussionId?: string) {
      const name = world.state.people.find(({ id }) => id === by)?.name ?? null;
      const displayName = { type: "user", resolved_name: name };
      const about = { onId, richText: richOf(content), displayName, by, at: next() };
      return createComment(world, discussionId === undefined ? about : { ...about, discussionId });
    },
  };
}

export type SeedKit = ReturnType<typeof seedKit>;

/** An option of a select, multi-select or status property. */
export const option = (id: string, name: string, color: string): Fields => ({
  id,
  name,
  color,
  description: null,
});

/** The value of an option. */
export const chosen = (property: Fields | undefined, name: string): Json => {
  const { type } = property ?? {};
  const { options = [] } = (property?.[String(type)] ?? {}) as Fields;
  const { description: _, ...value } = (options as Fields[]).find((each) => each.name === name) ?? {};
  return value;
};
