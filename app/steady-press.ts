/** How far a pointer may wander, in CSS pixels, and still mean what it pressed. */
const STILL_WITHIN_PX = 6;

/**
 * Lets a press count for the button it began on, even when the page moved under the pointer before the release. The note
 * below a field comes or goes when the field is left, which is when a button is pressed: the button moves away, and the
 * browser gives the click to neither place. Whoever moves the pointer away still takes the press back.
 */
export function keepPresses(root: Document = document): void {
  let pressed: { button: HTMLButtonElement; place: DOMRect; x: number; y: number } | null = null;
  root.addEventListener("pointerdown", ({ target, button, clientX, clientY }) => {
    const found = target instanceof Element && button === 0 ? target.closest("button") : null;
    pressed = found && { button: found, place: found.getBoundingClientRect(), x: clientX, y: clientY };
  });
  root.addEventListener("pointerup", ({ clientX, clientY }) => {
    const last = pressed;
    pressed = null;
    if (!last?.button.isConnected) return;
    const isStill = Math.hypot(clientX - last.x, clientY - last.y) <= STILL_WITHIN_PX;
    const { left, top } = last.button.getBoundingClientRect();
    const hasMoved = left !== last.place.left || top !== last.place.top;
    const isBelow = last.button.contains(root.elementFromPoint(clientX, clientY));
    if (isStill && hasMoved && !isBelow) last.button.click();
  });
}
