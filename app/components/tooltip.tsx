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

/** Long enough not to flicker while the pointer travels over a row of buttons. */
const SHOW_MS = 200;
/** Long enough to move the pointer onto the words. */
const HIDE_MS = 100;
/** Distance of the words from what they belong to, in pixels. */
const GAP = 6;

export type TooltipProps = {
  content: string;
  side?: "top" | "right";
  /** One element; it already has a name of its own, which the words repeat or explain. */
  children: ReactNode;
};

/**
 * Words beside a control while it is pointed at or has the keyboard's focus. They stay while the pointer is on them and
 * Escape puts them away (WCAG 2.2, 1.4.13).
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
    // biome-ignore lint/a11y/noStaticElementInteractions: -- it only hears what its one child is told
    <span
      ref={anchor}
      className="tooltip-anchor"
      // Not "enter": the control may have come to be under a pointer that rests.
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

/** Where the words go, in the window's coordinates: above the element, or right of it. */
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
