import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { createPortal } from "react-dom";

/** Long enough to avoid flicker while the pointer moves over a row of buttons. */
const SHOW_MS = 200;
/** Long enough to move the pointer onto the tooltip. */
const HIDE_MS = 100;
/** Distance between the tooltip and its control, in pixels. */
const GAP = 6;

export type TooltipProps = {
  content: string;
  side?: "top" | "right";
  /** One element with its own accessible name, which the tooltip repeats or explains. */
  children: ReactNode;
};

/**
 * A tooltip for a control that is hovered or has keyboard focus. It stays open while the pointer is on it, and Escape
 * closes it (WCAG 2.2, 1.4.13).
 */
export function Tooltip({ content, side = "top", children }: TooltipProps) {
  const anchor = useRef<HTMLSpanElement>(null);
  const timer = useRef<number>();
  const isNear = useRef(false);
  const id = useId();
  const [at, setAt] = useState<{ left: number; top: number } | null>(null);
  const show = (after: number) => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setAt(placeBeside(anchor.current, side)), after);
  };
  const hide = (after: number) => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setAt(null), after);
  };
  useEffect(() => () => window.clearTimeout(timer.current), []);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: -- it only receives its child's events
    <span
      ref={anchor}
      className="tooltip-anchor"
      // Not `onPointerEnter`: the control may appear under a resting pointer.
      onPointerMove={(event) => {
        if (isNear.current || event.pointerType === "touch") return;
        isNear.current = true;
        show(at ? 0 : SHOW_MS);
      }}
      onPointerLeave={() => {
        isNear.current = false;
        hide(HIDE_MS);
      }}
      onPointerDown={() => hide(0)}
      onFocus={(event: FocusEvent) => event.target.matches(":focus-visible") && show(0)}
      onBlur={() => hide(0)}
      onKeyDown={(event: KeyboardEvent) => event.key === "Escape" && hide(0)}
    >
      {children}
      {at &&
        createPortal(
          <span id={id} role="tooltip" className={`tooltip tooltip-${side}`} style={at}>
            {content}
          </span>,
          document.body,
        )}
    </span>
  );
}

/** The tooltip's position in window coordinates: above the element, or right of it. */
function placeBeside(
  anchor: HTMLElement | null,
  side: "top" | "right",
): { left: number; top: number } | null {
  const box = anchor?.firstElementChild?.getBoundingClientRect();
  if (!box) return null;
  if (side === "right") return { left: box.right + GAP, top: box.top + box.height / 2 };
  const room = 140;
  const middle = box.left + box.width / 2;
  const left = Math.min(Math.max(middle, room), Math.max(room, window.innerWidth - room));
  return { left, top: box.top - GAP };
}
