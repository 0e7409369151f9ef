import { objectOf, objectsOf, picked, textOf } from "./json-parts.ts";
import { valueText } from "./property-values.ts";
import type { RestoreIo } from "./restore-io.ts";
import { textPieces } from "./rich-text.ts";
import type { DraftBlock } from "./split-blocks.ts";
import { type Node, readPage } from "./walk-version.ts";

/** The values of a row that becomes a page outside a table, as lines at its top, and its files. */
export async function propertyLines(
  { snapshot, losses }: { snapshot: RestoreIo["snapshot"]; losses: Pick<RestoreIo["losses"], "tell"> },
  node: Node,
): Promise<DraftBlock[]> {
  const { properties } = await readPage(snapshot, node.home);
  const drafts: DraftBlock[] = [];
  for (const [name, stored] of Object.entries(properties)) {
    const text = valueText(stored);
    if (text === "") continue;
    const rich_text = [
      ...textPieces(`${name}: `, null, { annotations: { bold: true } }),
      ...textPieces(text, null),
    ];
    drafts.push({ ref: `${stored.id}:line`, type: "paragraph", value: { rich_text }, children: [] });
    for (const [index, file] of objectsOf(stored.files).entries()) {
      const ref = `${stored.id}:file-${index}`;
      const value = picked(file, ["name"]);
      const path = textOf(objectOf(file.file).path);
      if (path !== null) drafts.push({ ref, type: "file", value, file: path, children: [] });
      else if (file.type === "external") {
        const external = picked(objectOf(file.external), ["url"]);
        drafts.push({ ref, type: "file", value: { ...value, type: "external", external }, children: [] });
      }
    }
  }
  if (drafts.length > 0) losses.tell("rowValues");
  return drafts;
}
