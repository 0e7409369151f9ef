import { findPart } from "./find-part.ts";
import type { OpenVersion } from "./open-for-reading.ts";
import { readable } from "./readable-or-told.ts";
import type { RestorableParts } from "./views.ts";

/**
 * Which of these parts can be restored by themselves, in a version that is not damaged. Reads no entry.
 *
 * @throws AppError `err.version.unreadable`
 */
export async function restorableParts(
  { connector, item, snapshot, view }: Pick<OpenVersion, "connector" | "item" | "snapshot" | "view">,
  paths: readonly string[],
): Promise<RestorableParts> {
  const found: [string, RestorableParts[string]][] = [];
  if (connector.descriptor.supports.restores.parts === null || snapshot.verifyState === "failed") return {};
  for (const path of paths) {
    const part = await readable(() => findPart({ connector, view, itemKind: item.kind }, path));
    if (part !== null) found.push([path, { kind: part.kind, one: part.one }]);
  }
  return Object.fromEntries(found);
}
