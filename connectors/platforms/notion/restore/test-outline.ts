import type { Json } from "#core/kernel/canonical-json.ts";
import { propertyKey } from "../property-key.ts";
import type { StoredSource } from "../records.ts";
import { dumpThing } from "../simulator/dump.ts";
import type { NotionWorld } from "../simulator/state.ts";
import { type JsonObject, objectOf, objectsOf, textOf } from "./json-parts.ts";
import { namedExpression } from "./schemas.ts";

/**
 * What a simulated Notion stores of a page or database and of everything below it, for tests of restores: without ids,
 * times and people, with the declared losses, and with references by the place of what they lead to.
 */
export function outlineOf(world: NotionWorld, id: string): Json {
  const places = new Map<string, string>();
  const outline = thing(world, dumpThing(world, id), places);
  return referTo(outline, places);
}

/** An original as a restore brings it back. */
export function expectedOf(world: NotionWorld, id: string): Json {
  const places = new Map<string, string>();
  const lost = withLosses(dumpThing(world, id)) as JsonObject;
  return referTo(thing(world, lost, places), places);
}

type Places = Map<string, string>;

function thing(world: NotionWorld, dump: JsonObject, places: Places): Json {
  places.set(String(dump.id), `#${places.size}`);
  switch (dump.kind) {
    case "page":
    case "row":
    case "template":
      return page(world, dump, places);
    case "database":
      return database(world, dump, places);
    default:
      return block(world, dump, places);
  }
}

function page(world: NotionWorld, dump: JsonObject, places: Places): Json {
  const { parent, values, icon, cover, isLocked } = dump;
  const source = world.state.dataSources[textOf(objectOf(parent).id) ?? ""];
  const own: JsonObject = {};
  for (const [id, value] of Object.entries(objectOf(values))) {
    const name = source === undefined ? id : textOf(source.properties[id]?.name);
    if (name !== null && name !== undefined) own[name] = facts(world, value);
  }
  return {
    kind: "page",
    values: withoutEmpty(own),
    ...{ icon: facts(world, icon), cover: facts(world, cover), isLocked: isLocked === true },
    children: below(world, dump, places),
    comments: comments(world, dump),
  };
}

/** An empty value is as good as none. */
function withoutEmpty(values: JsonObject): JsonObject {
  const isEmpty = (value: Json) => {
    const own = objectOf(value);
    const inner = own[textOf(own.type) ?? ""];
    return (
      inner === null || inner === undefined || inner === false || (Array.isArray(inner) && inner.length === 0)
    );
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !isEmpty(value)));
}

function block(world: NotionWorld, dump: JsonObject, places: Places): Json {
  const { type, payload } = dump;
  const shown = Object.fromEntries(
    Object.entries(objectOf(facts(world, payload))).filter(([, each]) => each !== null),
  );
  return {
    ...{ kind: "block", type: type ?? null, payload: shown },
    ...{ children: below(world, dump, places), comments: comments(world, dump) },
  };
}

/** Pages inside other blocks stand behind the block at the top of the page that they are in. */
function below(world: NotionWorld, dump: JsonObject, places: Places): Json[] {
  const there = objectsOf(dump.children).filter(({ isTrashed }) => isTrashed !== true);
  // No request makes a column without a block.
  if (dump.type === "column" && there.length === 0) {
    const payload = { rich_text: [], color: "default" };
    there.push({ kind: "block", id: `in ${String(dump.id)}`, type: "paragraph", payload });
  }
  return there.map((child) => thing(world, child, places));
}

function database(world: NotionWorld, dump: JsonObject, places: Places): Json {
  const { title, description, isInline, isLocked, icon, cover } = dump;
  const sources = objectsOf(dump.sources);
  for (const { id } of sources) places.set(String(id), `#${places.size}`);
  for (const { properties } of sources) {
    for (const property of objectsOf(Object.values(objectOf(properties)))) {
      if (property.id === "title") {
        // Sorts name the title by its name or by its id, which is the same everywhere.
        places.set(`property ${String(property.name)}`, "title");
        continue;
      }
      places.set(`property ${propertyKey(String(property.id))}`, String(property.name));
    }
  }
  return {
    ...{ kind: "database", title: words(world, title), description: words(world, description) },
    ...{
      isInline: isInline ?? false,
      isLocked: isLocked ?? false,
      icon: facts(world, icon),
      cover: facts(world, cover),
    },
    sources: sources.map((source) => ({
      title: words(world, source.title),
      properties: Object.fromEntries(
        objectsOf(Object.values(objectOf(source.properties))).map((property) => [
          String(property.name),
          configOf(property, source),
        ]),
      ),
      // Rows of the same minute have no order that Notion tells.
      rows: byTitle(objectsOf(source.rows)).map((row) => thing(world, row, places)),
    })),
    views: objectsOf(dump.views).map(({ body, dataSourceId }) => ({
      ...{ body: body ?? null, dataSourceId: dataSourceId ?? null },
    })),
  };
}

function byTitle(rows: readonly JsonObject[]): JsonObject[] {
  const titleOf = ({ values }: JsonObject) => JSON.stringify(objectOf(values).title);
  return rows.toSorted((one, other) => (titleOf(one) < titleOf(other) ? -1 : 1));
}

/** A property without ids. Groups of status options are lost. */
function configOf(property: JsonObject, source: JsonObject): Json {
  const { type, description } = property;
  const config = { ...objectOf(property[String(type)]) };
  for (const name of ["database_id", "relation_property_id", "rollup_property_id", "groups"])
    delete config[name];
  if (Array.isArray(config.options)) {
    config.options = objectsOf(config.options).map(({ name, color }) => ({
      name: name ?? "",
      color: color ?? "",
    }));
  }
  if (typeof config.expression === "string") {
    const properties = source.properties as StoredSource["properties"];
    config.expression = namedExpression(config.expression, { properties });
  }
  if (config.dual_property !== undefined) {
    config.dual_property = objectOf(config.dual_property).synced_property_name ?? null;
  }
  return { type: type ?? null, description: description ?? null, config };
}

function comments(world: NotionWorld, dump: JsonObject): Json[] {
  return objectsOf(dump.comments).map((comment) => ({
    text: words(world, comment.richText),
    author: objectOf(comment.displayName).resolved_name ?? null,
    attachments: facts(world, comment.attachments),
  }));
}

/** A text as runs. */
function words(world: NotionWorld, stored: Json | undefined): Json[] {
  return objectsOf(stored).map(
    ({ plain_text: text, annotations, href, mention }): JsonObject =>
      mention === undefined
        ? { text: text ?? "", annotations: annotations ?? null, href: href ?? null }
        : // Notion words a mention itself.
          { annotations: annotations ?? null, mention: facts(world, mention) },
  );
}

/** A custom emoji is named by its id. */
function withoutName(value: Json): Json {
  const { custom_emoji: emoji, ...rest } = objectOf(value);
  return emoji === undefined ? value : { ...rest, custom_emoji: objectOf(emoji).emoji_id ?? null };
}

/** A value without ids and with its files by their bytes. */
function facts(world: NotionWorld, value: Json | undefined): Json {
  if (value === undefined || value === null || typeof value !== "object") return value ?? null;
  if (Array.isArray(value)) {
    const isText = value.length > 0 && value.every((each) => objectOf(each).plain_text !== undefined);
    return isText ? words(world, value) : value.map((each) => facts(world, each));
  }
  if (value.custom_emoji !== undefined) return withoutName(value);
  if (typeof value.file_id === "string") return { bytes: world.state.files[value.file_id]?.sha256 ?? null };
  if (typeof value.name === "string" && typeof value.color === "string") return value.name;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([key, member]) => [key, facts(world, member)]));
}

/** Replaces ids by the places of what they name. */
function referTo(value: Json, places: ReadonlyMap<string, string>): Json {
  if (typeof value === "string")
    return places.get(value) ?? places.get(`property ${propertyKey(value)}`) ?? value;
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((each) => referTo(each, places));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== "property_name" && !key.endsWith("_property_name"))
      .map(([key, each]) => [places.get(`property ${propertyKey(key)}`) ?? key, referTo(each, places)]),
  );
}

const PLAIN = {
  bold: false,
  italic: false,
  strikethrough: false,
  underline: false,
  code: false,
  color: "default",
};

/** A note in the place of a block, as `note` in `draft-blocks.ts` words it. */
function noteBlock(dump: JsonObject, text: string): JsonObject {
  const annotations = { ...PLAIN, italic: true, color: "gray" };
  const rich_text = [{ type: "text", plain_text: text, href: null, annotations }];
  return { ...dump, type: "paragraph", payload: { rich_text, icon: null, color: "default" } };
}

/** The declared losses, applied to what is stored of an original. */
function withLosses(value: Json): Json {
  if (Array.isArray(value)) return value.map((each) => withLosses(each));
  if (value === null || typeof value !== "object") return value;
  const dump = Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, key === "templates" ? [] : withLosses(each)]),
  );
  if (typeof dump.plain_text === "string") return textWithLosses(dump);
  if (dump.kind === "page" || dump.kind === "row")
    return { ...dump, children: hoisted(objectsOf(dump.children)) };
  if (dump.kind !== "block") return dump;
  const payload = objectOf(dump.payload);
  switch (dump.type) {
    case "unsupported":
      return noteBlock(dump, `A ${String(payload.block_type).replaceAll("_", " ")} was here.`);
    case "link_preview":
      return { ...dump, type: "bookmark", payload: { url: payload.url ?? "", caption: [] } };
    case "transcription":
      return { ...dump, type: "toggle", payload: { rich_text: payload.title ?? [], color: "default" } };
    default:
      return dump;
  }
}

function textWithLosses(item: JsonObject): Json {
  const mention = objectOf(item.mention);
  const { plain_text, annotations, href } = item;
  const own = { type: "text", plain_text: plain_text ?? "", annotations: annotations ?? null };
  if (mention.type === "user") return { ...own, href: null };
  if (mention.type === "link_mention" || mention.type === "link_preview")
    return { ...own, href: href ?? null };
  return item;
}

/** Takes the pages out of the blocks that they are in, and puts them behind. */
function hoisted(children: readonly JsonObject[]): JsonObject[] {
  return children.flatMap((child) => {
    if (child.kind !== "block") return [child];
    const out: JsonObject[] = [];
    const strip = (each: JsonObject): JsonObject => {
      const kept: JsonObject[] = [];
      for (const inner of objectsOf(each.children)) {
        if (inner.kind === "block") kept.push(strip(inner));
        else out.push(inner);
      }
      return { ...each, children: kept };
    };
    return [strip(child), ...out];
  });
}
