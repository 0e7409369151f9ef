import { type ComponentType, useEffect, useRef } from "react";
import { dialogCopy } from "#app/copy/shared.ts";
import type { DialogProps } from "./dialog-frame.tsx";
import { lazyWhenOpen } from "./lazy-when-open.tsx";

/** The dialog frame that all dialogs share. Loaded on first use; a bare frame opens at once. */
export const Dialog = lazyWhenOpen<DialogProps>(() => import("./dialog-frame.tsx"), BareFrame);

/**
 * A dialog that is loaded when it first opens. An empty one of its size opens at once, which its `onClose` closes. One
 * without `onClose` opens when it has come.
 */
export function lazyDialog<Props extends { isOpen: boolean; onClose?: () => void }>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  size: DialogProps["size"] | ((props: Props) => DialogProps["size"]) = "s",
): ComponentType<Props> {
  return lazyWhenOpen(load, (props) =>
    props.onClose ? (
      <Dialog
        isOpen
        onClose={props.onClose}
        title={
          <>
            &nbsp;<span className="sr">{dialogCopy.loading}</span>
          </>
        }
        size={typeof size === "function" ? size(props) : size}
      >
        <span className="skeleton">&nbsp;</span>
      </Dialog>
    ) : null,
  );
}

/**
 * Looks like the frame while its file loads: only before the first dialog of a visit, so it covers no other. It has the
 * focus, and Escape or a click beside it closes it.
 */
function BareFrame({ onClose, title, size = "s" }: DialogProps) {
  const frame = useRef<HTMLDivElement>(null);
  // The focus is back before the dialog that follows opens, which remembers from where it came.
  useEffect(() => {
    const opener = document.activeElement;
    frame.current?.focus();
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape") onClose();
      if (event.key === "Tab") event.preventDefault();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [onClose]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: -- for the pointer; the keyboard has Escape
    <div
      className="modal"
      role="presentation"
      onClick={({ target, currentTarget }) => target === currentTarget && onClose()}
    >
      <div
        ref={frame}
        className={size === "l" ? "dialog" : `dialog dialog-${size}`}
        role="dialog"
        aria-modal
        aria-label={dialogCopy.loading}
        tabIndex={-1}
      >
        <div className="dialog__head">
          <h2 className="dialog__title">{title}</h2>
        </div>
        <div className="dialog__plain">
          <span className="skeleton">&nbsp;</span>
        </div>
      </div>
    </div>
  );
}
