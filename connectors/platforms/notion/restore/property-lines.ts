import { openReadIo } from "../read/read-io.ts";
import { fieldsOf } from "../read/table-view.ts";
import { objectOf, objectsOf, picked, textOf } from "./json-parts.ts";
import type { RestoreIo } from "./restore-io.ts";
import { textPieces } from "./rich-text.ts";
import type { DraftBlock } from "./split-blocks.ts";
import { type Node, readPage } from "./walk-version.ts";

/** What a row that becomes a page outside a table shows at its top: its values as the version shows them, and its files. */
export async function propertyLines(
  { snapshot, losses }: { snapshot: RestoreIo["snapshot"]; losses: Pick<RestoreIo["losses"], "tell"> },
  node: Node,
): Promise<DraftBlock[]> {
  const page = await readPage(snapshot, node.home);
  const fields = await fieldsOf(openReadIo(snapshot), node.parentId ?? "", page);
  const drafts = fields.map(({ name, value }, index): DraftBlock => {
    const head = textPieces(`${name}: `, null, { annotations: { bold: true } });
    const rich_text = [...head, ...textPieces(value, null)];
    return { ref: `line-${index}`, type: "paragraph", value: { rich_text }, children: [] };
  });
  const files = Object.values(page.properties).flatMap((stored) => objectsOf(stored.files));
  for (const [index, file] of files.entries()) {
    const draft: DraftBlock = {
      ref: `file-${index}`,
      type: "file",
      value: picked(file, ["name"]),
      children: [],
    };
    const path = textOf(objectOf(file.file).path);
    if (path !== null) drafts.push({ ...draft, file: path });
    else if (file.type === "external") {
      const external = picked(objectOf(file.external), ["url"]);
      drafts.push({ ...draft, value: { ...draft.value, type: "external", external } });
    }
  }
  if (drafts.length > 0) losses.tell("rowValues");
  return drafts;
}
