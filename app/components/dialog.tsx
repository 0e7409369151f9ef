import type { ComponentType, ReactNode } from "react";
import type { DialogProps } from "./dialog-frame.tsx";
import { lazyWhenOpen } from "./lazy-when-open.tsx";

const loadFrame = () => import("./dialog-frame.tsx");

/** The dialog frame that all dialogs share. Loaded on first use; an empty frame opens at once. */
export const Dialog = lazyWhenOpen<DialogProps>(loadFrame, ({ title, size }) => (
  <EmptyFrame title={title} size={size} />
));

/**
 * A dialog that is loaded when it first opens. The shared frame is loaded at the same time, and an empty one of this size
 * opens at once.
 */
export function lazyDialog<Props extends { isOpen: boolean }>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  size: DialogProps["size"] = "s",
): ComponentType<Props> {
  const loadBoth = () => Promise.all([load(), loadFrame()]).then(([loaded]) => loaded);
  return lazyWhenOpen(loadBoth, () => <EmptyFrame size={size} />);
}

/** Looks like the frame. Hidden from assistive technology, to which the dialog is announced when it has come. */
function EmptyFrame({ title, size = "s" }: { title?: ReactNode; size?: DialogProps["size"] }) {
  return (
    <div className="modal" aria-hidden>
      <div className={size === "l" ? "dialog" : `dialog dialog-${size}`}>
        <div className="dialog__head">
          <h2 className="dialog__title">{title ?? <>&nbsp;</>}</h2>
        </div>
        <div className="dialog__plain">
          <span className="skeleton">&nbsp;</span>
        </div>
      </div>
    </div>
  );
}
