import { RESTORED_SUFFIX } from "./limits.ts";

/** The name of a restored item: what was typed, or the original with `_restored`, cut to what the platform takes. */
export function restoredName(typed: string | null, original: string, maxLength: number): string {
  const name = typed?.trim() ?? "";
  if (name !== "") return name;
  return `${original.slice(0, maxLength - RESTORED_SUFFIX.length)}${RESTORED_SUFFIX}`;
}
