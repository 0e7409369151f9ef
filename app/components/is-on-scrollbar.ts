/** True when a press on an element that covers the window is on one of the element's scrollbars. */
export function isOnScrollbar(
  { clientX, clientY }: Pick<MouseEvent, "clientX" | "clientY">,
  { clientWidth, clientHeight }: Pick<Element, "clientWidth" | "clientHeight">,
): boolean {
  return clientX >= clientWidth || clientY >= clientHeight;
}
