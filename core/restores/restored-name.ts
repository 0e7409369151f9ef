import { RESTORED_SUFFIX } from "./limits.ts";

/**
 * Returns the name of a restored item: the typed name, or the original cut to the platform's maximum with `_restored`
 * appended.
 */
export function restoredName(typed: string | null, original: string, maxLength: number): string {
  const name = typed?.trim() ?? "";
  if (name !== "") return name;
  return `${original.slice(0, maxLength - RESTORED_SUFFIX.length)}${RESTORED_SUFFIX}`;
}
