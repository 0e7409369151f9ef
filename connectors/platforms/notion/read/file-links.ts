import type { FileLink } from "#connectors/contract/field.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { memberOf, membersOf, textOf } from "./members.ts";

/**
 * A file of a block, a property, a comment, an icon or a cover. Without bytes in the version it has neither path nor
 * address, because the address of a file that Notion keeps is worth nothing without its signature.
 *
 * @param otherwise The name of a file that has none
 */
export async function fileLinkOf(snapshot: SnapshotView, value: Json, otherwise: string): Promise<FileLink> {
  const own = textOf(value, "name");
  const external = textOf(memberOf(value, "external"), "url");
  if (external !== "")
    return { name: own || lastPart(external) || otherwise, path: null, url: external, sizeBytes: null };
  const { address, path } = membersOf(memberOf(value, "file"));
  const name = own || lastPart(typeof address === "string" ? address : "") || otherwise;
  const entry = typeof path === "string" ? await snapshot.find(path) : null;
  return { name, path: entry?.path ?? null, url: null, sizeBytes: entry?.sizeBytes ?? null };
}

/** The name at the end of an address, as people wrote it. */
function lastPart(address: string): string {
  const end = address.search(/[?#]/);
  const path = end < 0 ? address : address.slice(0, end);
  const part = path.slice(path.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
