import type { OpenVersion } from "./open-for-reading.ts";
import { readable } from "./readable-or-told.ts";
import type { RestorableParts } from "./views.ts";

/**
 * Which of these entries can be restored by themselves: those of the kinds that the platform names, in a version that is
 * not damaged. Reads none of them.
 *
 * @throws AppError `err.version.unreadable`
 */
export async function restorableParts(
  { connector, snapshot, view }: Pick<OpenVersion, "connector" | "snapshot" | "view">,
  paths: readonly string[],
): Promise<RestorableParts> {
  const kinds = connector.descriptor.supports.restores.parts?.kinds ?? [];
  const found: [string, RestorableParts[string]][] = [];
  if (kinds.length === 0 || snapshot.verifyState === "failed") return {};
  for (const path of paths) {
    const kind = (await readable(() => view.find(path)))?.kind;
    if (kind !== undefined && kinds.includes(kind))
      found.push([path, { kind, one: connector.entryKinds[kind]?.one ?? kind }]);
  }
  return Object.fromEntries(found);
}
