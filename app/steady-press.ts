/** How far the pointer may move, in CSS pixels, and still click the pressed button. */
const STILL_WITHIN_PX = 6;

/**
 * Completes a click on a button that moved under the pointer before the release. The note below a field appears or
 * disappears on blur, which happens when a button is pressed. The button then moves away, and the browser sends no
 * click. Moving the pointer away still cancels the click.
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
