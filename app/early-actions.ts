/**
 * A page can be seen and touched before its scripts have come. What somebody types and presses until then is kept by a
 * script in the page itself and done, once, when React has taken the page over. A form that the server answers, one with
 * an `action`, is sent as it is.
 */

declare global {
  interface Window {
    /** Ends the holding and answers what was held, oldest first. */
    releaseActions?: (() => HTMLElement[]) | undefined;
  }
}

/** The script that holds. It stands in the head of every page, so it is small and needs nothing. */
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

/** Does what was held: first every field tells what was typed, then what was pressed is pressed. */
export async function replayActions(): Promise<void> {
  const held = (window.releaseActions?.() ?? []).filter((element) => element.isConnected);
  window.releaseActions = undefined;
  // Read before anything is told: a form that holds all its fields in one state draws every one anew after the first.
  const typed = held.flatMap((field) => (isField(field) ? [{ field, wanted: contentOf(field) }] : []));
  for (const { field, wanted } of typed) {
    // React has drawn what one field told before the next one tells.
    await Promise.resolve();
    tellTyped(field, wanted);
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

/** What was typed, chosen or ticked. */
function contentOf(field: Field): string | boolean {
  return isTicked(field) ? field.checked : field.value;
}

function isTicked(field: Field): field is HTMLInputElement {
  return field instanceof HTMLInputElement && /^(checkbox|radio)$/.test(field.type);
}

/**
 * Lets React hear of a field that was changed before it listened. It ignores the event of a field whose content it
 * knows already, so the field takes another content first and gets its own back past React.
 */
function tellTyped(field: Field, wanted: string | boolean): void {
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
