import { railPlaces } from "./rail-places.ts";
import type { ShellView } from "./shell-view.ts";

/** What a shortcut does. `prefix` = the next key names a page. */
export type Shortcut =
  | { does: "palette" | "keys" | "search" | "rail" | "prefix" }
  | { does: "go"; to: string };

type Key = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">;

/** The key after which another one names a page. */
export const PREFIX = "g";

/** True for Ctrl-K, and Cmd-K on a Mac. */
export function isPaletteKey({ key, ctrlKey, metaKey, altKey }: Key): boolean {
  return key.toLowerCase() === "k" && ctrlKey !== metaKey && !altKey;
}

/** The pages that a second key opens: those of the sidebar, by their first letter, and the runs. */
export function keyedPages(
  shell: Parameters<typeof railPlaces>[0],
): { key: string; label: string; to: string }[] {
  const keys = { dashboard: "d", audit: "a", connector: "c" } as const;
  return railPlaces(shell).flatMap(({ icon, label, to }) =>
    icon in keys ? [{ key: keys[icon as keyof typeof keys], label, to }] : [],
  );
}

/**
 * The shortcut of a key. Keys without a modifier never act while somebody types or a dialog or menu is open, and only
 * while they are on: they can be turned off (WCAG 2.1.4).
 */
export function shortcutOf(
  event: Key,
  {
    place,
    hasSingleKeys,
    isAfterPrefix,
    shell,
  }: {
    /** Where the focus is. */
    place: "page" | "field" | "dialog";
    hasSingleKeys: boolean;
    isAfterPrefix: boolean;
    shell: Pick<ShellView, "isRestricted" | "hasProPlan" | "helpUrl">;
  },
): Shortcut | null {
  if (place === "dialog") return null;
  if (isPaletteKey(event)) return { does: "palette" };
  const { key, ctrlKey, metaKey, altKey } = event;
  if (place === "field" || !hasSingleKeys || ctrlKey || metaKey || altKey) return null;
  if (isAfterPrefix) {
    const page = keyedPages(shell).find((each) => each.key === key);
    return page ? { does: "go", to: page.to } : null;
  }
  switch (key) {
    case "?":
      return { does: "keys" };
    case "/":
      return { does: "search" };
    case "[":
      return { does: "rail" };
    case PREFIX:
      return { does: "prefix" };
    default:
      return null;
  }
}
