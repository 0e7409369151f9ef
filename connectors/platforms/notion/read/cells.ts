import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { TableCell } from "#connectors/contract/table-view.ts";
import { cellText } from "#connectors/toolkit/views/cell-fields.ts";
import { timeOf } from "#connectors/toolkit/views/values.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { propertyKey } from "../property-key.ts";
import { tagOf } from "./colours.ts";
import type { SourceColumn } from "./columns.ts";
import { fileLinkOf } from "./file-links.ts";
import { listOf, memberOf, membersOf, numberOf, textOf } from "./members.ts";
import { numberText } from "./number-text.ts";
import type { NameOf } from "./people.ts";
import { plainText } from "./rich-text.ts";
import type { Targets } from "./targets.ts";
import { listedTitle } from "./titles.ts";

/** What cells need besides themselves. */
export type CellIo = { snapshot: SnapshotView; targets: Targets; nameOf: NameOf };

/** The cells of a row by column id; empty ones are absent. */
export async function cellsOf(
  io: CellIo,
  page: Json,
  columns: readonly SourceColumn[],
): Promise<Record<string, TableCell>> {
  const values = new Map(
    Object.values(memberOf(page, "properties")).map((value) => [propertyKey(textOf(value, "id")), value]),
  );
  const cells: Record<string, TableCell> = {};
  for (const { id, key, schema } of columns) {
    const value = values.get(key);
    const cell = value === undefined ? null : await cellOf(io, value, schema);
    if (cell !== null) cells[id] = cell;
  }
  return cells;
}

/** The cell of a property's value (`PagePropertyValueWithIdResponse`); null = empty. */
async function cellOf(io: CellIo, value: Json, schema: Json): Promise<TableCell | null> {
  const type = textOf(value, "type");
  switch (type) {
    case "number":
      return numberCell(numberOf(value, "number"), textOf(memberOf(schema, "number"), "format"));
    case "select":
    case "status":
      return tagsCell([membersOf(value)[type]!]);
    case "multi_select":
      return tagsCell(listOf(value, type));
    case "date":
      return dateCell(membersOf(value).date);
    case "checkbox":
      return { type: "check", isOn: membersOf(value).checkbox === true };
    case "files": {
      const files = listOf(value, "files");
      if (files.length === 0) return null;
      return {
        type: "files",
        files: await Promise.all(files.map((file) => fileLinkOf(io.snapshot, file, "file"))),
      };
    }
    case "relation":
      return await relationCell(io, value, schema);
    case "formula":
      return formulaCell(memberOf(value, "formula"));
    case "rollup":
      return await rollupCell(io, memberOf(value, "rollup"));
    case "created_time":
    case "last_edited_time":
    case "last_visited_time":
      return dateCell({ start: textOf(value, type) });
    default:
      return textCell(await wordsOf(io, type, value));
  }
}

/** The text of a value that is shown as text. */
async function wordsOf({ nameOf }: CellIo, type: string, value: Json): Promise<string> {
  const own = membersOf(value)[type];
  switch (type) {
    case "title":
    case "rich_text":
      return plainText(listOf(value, type));
    case "people": {
      const names = await Promise.all(listOf(value, "people").map(nameOf));
      return names.map((name) => name ?? "Somebody").join(", ");
    }
    case "created_by":
    case "last_edited_by":
      return (await nameOf(own)) ?? "";
    case "unique_id":
      return uniqueId(value) ?? "";
    case "verification": {
      const state = textOf(own, "state");
      const by = await nameOf(membersOf(own).verified_by);
      return state === "unverified" || by === null ? state : `${state} by ${by}`;
    }
    case "place": {
      const [lat, lon] = [numberOf(own, "lat"), numberOf(own, "lon")];
      const at = lat === null || lon === null ? "" : `${lat}, ${lon}`;
      return [textOf(own, "name"), textOf(own, "address") || at].filter(Boolean).join(", ");
    }
    case "button":
      return "";
    default:
      // Links, addresses and types that came later.
      return typeof own === "string" ? own : own === null || own === undefined ? "" : JSON.stringify(own);
  }
}

/** The number that a data source gives a row, e.g. `OPS-12`; null = none. */
export function uniqueId(value: Json): string | null {
  const own = memberOf(value, "unique_id");
  const number = numberOf(own, "number");
  const prefix = textOf(own, "prefix");
  if (number === null) return null;
  return prefix === "" ? String(number) : `${prefix}-${number}`;
}

function textCell(text: string): TableCell | null {
  return text === "" ? null : { type: "text", text };
}

function numberCell(value: number | null, format: string): TableCell | null {
  return value === null ? null : { type: "number", value, text: numberText(value, format) };
}

function tagsCell(options: readonly Json[]): TableCell | null {
  const tags = options.flatMap((option) => {
    const name = textOf(option, "name");
    return name === "" ? [] : [tagOf(name, textOf(option, "color"))];
  });
  return tags.length === 0 ? null : { type: "tags", tags };
}

function dateCell(date: Json | undefined): TableCell | null {
  const start = textOf(date, "start");
  const from = timeOf(start);
  if (from === null) return null;
  return { type: "date", from, until: timeOf(textOf(date, "end")), hasTime: start.includes("T") };
}

async function relationCell(
  { snapshot, targets }: CellIo,
  value: Json,
  schema: Json,
): Promise<TableCell | null> {
  const sourceId = textOf(memberOf(schema, "relation"), "data_source_id");
  const rows: { id: string; title: string }[] = [];
  for (const related of listOf(value, "relation")) {
    const id = textOf(related, "id");
    const found = sourceId === "" ? await targets.page(id) : await targets.row(sourceId, id);
    if (found === null) rows.push({ id, title: "Not in this version" });
    else rows.push({ id: found.home.id, title: await listedTitle(snapshot, found.entry) });
  }
  return rows.length === 0 ? null : { type: "rows", rows };
}

function formulaCell(formula: Json): TableCell | null {
  const { boolean, date } = membersOf(formula);
  switch (textOf(formula, "type")) {
    case "number":
      return numberCell(numberOf(formula, "number"), "");
    case "boolean":
      return typeof boolean === "boolean" ? { type: "check", isOn: boolean } : null;
    case "date":
      return dateCell(date);
    case "string":
      return textCell(textOf(formula, "string"));
    default:
      return null;
  }
}

/** A rollup of many values is a text, because they may be of any type. */
async function rollupCell(io: CellIo, rollup: Json): Promise<TableCell | null> {
  const isPercent = textOf(rollup, "function").startsWith("percent");
  switch (textOf(rollup, "type")) {
    case "number":
      return numberCell(numberOf(rollup, "number"), isPercent ? "percent" : "");
    case "date":
      return dateCell(membersOf(rollup).date);
    case "array": {
      const words: string[] = [];
      for (const value of listOf(rollup, "array")) {
        const cell = await cellOf(io, value, {});
        if (cell !== null) words.push(cellText(cell));
      }
      return textCell(words.filter(Boolean).join(", "));
    }
    default:
      return null;
  }
}
