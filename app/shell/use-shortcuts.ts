import { useEffect, useRef } from "react";
import type { ShellView } from "./shell-view.ts";
import { type Shortcut, shortcutOf } from "./shortcuts.ts";
import { hasSingleKeys } from "./single-keys.ts";

/** How long the second key of a shortcut is waited for, in milliseconds. */
const PREFIX_MS = 1500;

/** Calls back with the shortcut of a pressed key. The prefix itself is not reported. */
export function useShortcuts(
  shell: ShellView,
  run: (shortcut: Exclude<Shortcut, { does: "prefix" }>) => void,
): void {
  const latest = useRef({ shell, run });
  latest.current = { shell, run };
  useEffect(() => {
    let prefixAt = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const found = shortcutOf(event, {
        place: placeOf(event.target),
        hasSingleKeys: hasSingleKeys(),
        isAfterPrefix: event.timeStamp - prefixAt < PREFIX_MS,
        shell: latest.current.shell,
      });
      prefixAt = found?.does === "prefix" ? event.timeStamp : Number.NEGATIVE_INFINITY;
      if (found === null || found.does === "prefix") return;
      // The key would be typed into the field that gets the focus.
      event.preventDefault();
      latest.current.run(found);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}

function placeOf(target: EventTarget | null): "page" | "field" | "dialog" {
  if (!(target instanceof Element)) return "page";
  if (target.closest("[role=dialog], [role=menu]")) return "dialog";
  return target.closest("input, textarea, select, [contenteditable]") ? "field" : "page";
}

/** Puts the focus into the search of the page's list. Returns false if the page has none. */
export function focusSearch(): boolean {
  const field = [...document.querySelectorAll<HTMLInputElement>("main search input")].find(
    (each) => each.offsetParent !== null,
  );
  field?.focus();
  return field !== undefined;
}
