import { useEffect } from "react";
import type { PlatformDescriptor } from "#connectors/contract/descriptor.ts";

/** Where the choice between a platform's kinds of item is kept, e.g. `gitlabType` (spec P-006). */
export const kindChoiceKey = (platform: string) => `${platform}Type`;

/** True for a platform whose list is chosen by kind, because its items lie in no places. */
export function choosesByKind({ supports, itemKinds }: PlatformDescriptor): boolean {
  return !supports.places && itemKinds.length > 1;
}

/**
 * What the address has to become: the choice that was kept where it names none, and the bare list where it names an id
 * without any choice being kept (spec P-006, P-007). Null = it may stay.
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

/** Keeps the choice of a kind over visits, where a platform's list is chosen by kind. */
export function useKindChoice(
  descriptor: PlatformDescriptor,
  search: URLSearchParams,
  replace: (next: URLSearchParams) => void,
): { keep: (kind: string) => void } {
  const isChosen = choosesByKind(descriptor);
  const key = kindChoiceKey(descriptor.id);
  // biome-ignore lint/correctness/useExhaustiveDependencies: -- an address is looked at when the list opens, not after
  useEffect(() => {
    if (!isChosen) return;
    const kinds = descriptor.itemKinds.map(({ id }) => id);
    const next = keptAddress(search, window.localStorage.getItem(key), kinds);
    if (next) replace(next);
  }, [isChosen, key]);
  return { keep: (kind) => isChosen && window.localStorage.setItem(key, kind) };
}
