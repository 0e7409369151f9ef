import type { MouseEvent } from "react";

/**
 * Acts on the first of several clicks in a row. The next step's button appears in the same place, so the second half of a
 * double click on Continue would press it, and with a card on file it would pay.
 */
export const onFirstClick = (act?: () => void) => (event: MouseEvent) => {
  if (event.detail > 1) event.preventDefault();
  else act?.();
};
