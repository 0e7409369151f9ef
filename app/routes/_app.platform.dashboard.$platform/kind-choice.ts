import { useEffect } from "react";
import type { PlatformDescriptor } from "#connectors/contract/descriptor.ts";

/** Storage key of the selected item kind of a platform, e.g. `gitlabType` (spec P-006). */
export const kindChoiceKey = (platform: string) => `${platform}Type`;

/** True for a platform whose list is selected by kind, because its items have no places. */
export function choosesByKind({ supports, itemKinds }: PlatformDescriptor): boolean {
  return !supports.places && itemKinds.length > 1;
}

/**
 * The corrected query: adds the stored kind when the query names none, and clears the query when it has an id but no
 * kind is stored (spec P-006, P-007). Null = no change.
 */
export function keptAddress(
  search: URLSearchParams,
  kept: string | null,
  kinds: readonly string[],
): URLSearchParams | null {
  const choice = kept !== null && kinds.includes(kept) ? kept : null;
  if (search.has("id")) return choice === null ? new URLSearchParams() : null;
  if (search.has("kind") || choice === null || choice === kinds[0]) return null;
  const next = new URLSearchParams(search);
  next.set("kind", choice);
  return next;
}

/** Stores the selected kind across visits, for platforms whose list is selected by kind. */
export function useKindChoice(
  descriptor: PlatformDescriptor,
  search: URLSearchParams,
  replace: (next: URLSearchParams) => void,
): { keep: (kind: string) => void } {
  const isChosen = choosesByKind(descriptor);
  const key = kindChoiceKey(descriptor.id);
  // biome-ignore lint/correctness/useExhaustiveDependencies: -- only check the URL when the list opens
  useEffect(() => {
    if (!isChosen) return;
    const kinds = descriptor.itemKinds.map(({ id }) => id);
    const next = keptAddress(search, window.localStorage.getItem(key), kinds);
    if (next) replace(next);
  }, [isChosen, key]);
  return { keep: (kind) => isChosen && window.localStorage.setItem(key, kind) };
}
