/**
 * A page is visible and usable before its scripts are loaded. An inline script records what the user types and presses
 * until then, and replays it once, after React has hydrated the page. A form that the server handles (one with an
 * `action`) is submitted normally.
 */

declare global {
  interface Window {
    /** Stops recording and returns the recorded elements, oldest first. */
    releaseActions?: (() => HTMLElement[]) | undefined;
  }
}

/** The recording script. It is in the head of every page, so it is small and has no dependencies. */
export const HOLD_ACTIONS = `(() => {
  const types = ["input", "click", "submit"];
  const held = new Set();
  const hold = (event) => {
    const { type, target } = event;
    if (type === "input") return held.add(target);
    const acting = type === "submit" ? target : target.closest?.("button");
    if (!acting) return;
    const form = type === "submit" ? acting : acting.type === "submit" ? acting.form : null;
    if (form?.hasAttribute("action")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (acting.getAttribute("aria-disabled") !== "true") held.add(acting);
  };
  for (const type of types) addEventListener(type, hold, true);
  window.releaseActions = () => {
    for (const type of types) removeEventListener(type, hold, true);
    return [...held];
  };
})();`;

/** Replays the recorded actions: first the input of every field, then the presses. */
export async function replayActions(): Promise<void> {
  const held = (window.releaseActions?.() ?? []).filter((element) => element.isConnected);
  window.releaseActions = undefined;
  // Read all values first: a form that keeps its fields in one state re-renders all of them after the first event.
  const typed = held.flatMap((field) => (isField(field) ? [{ field, wanted: contentOf(field) }] : []));
  for (const { field, wanted } of typed) {
    // Let React render the previous field before the next event.
    await Promise.resolve();
    replayTyped(field, wanted);
  }
  await Promise.resolve();
  for (const element of held) {
    if (element instanceof HTMLButtonElement) element.click();
    if (element instanceof HTMLFormElement) element.requestSubmit();
  }
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

function isField(element: unknown): element is Field {
  return [HTMLInputElement, HTMLTextAreaElement, HTMLSelectElement].some((kind) => element instanceof kind);
}

/** The typed, selected or checked value. */
function contentOf(field: Field): string | boolean {
  return isTicked(field) ? field.checked : field.value;
}

function isTicked(field: Field): field is HTMLInputElement {
  return field instanceof HTMLInputElement && /^(checkbox|radio)$/.test(field.type);
}

/**
 * Makes React notice a field that changed before hydration. React ignores an event when the field's value equals the
 * one it knows. So the value is changed first and then restored through the native setter, which React does not track.
 */
function replayTyped(field: Field, wanted: string | boolean): void {
  if (typeof wanted === "boolean") {
    if (isTicked(field)) field.checked = !wanted;
    field.click();
    return;
  }
  if (field instanceof HTMLSelectElement || field.type === "file") {
    if (field instanceof HTMLSelectElement) field.value = wanted;
    field.dispatchEvent(new Event("change", { bubbles: true }));
    return;
  }
  field.value = wanted === "" ? "0" : "";
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, wanted);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
