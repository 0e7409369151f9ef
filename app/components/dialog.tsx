import { lazy, type ReactNode, Suspense, useState } from "react";

export type DialogProps = {
  isOpen: boolean;
  onClose: () => void;
  title: ReactNode;
  /** Read after the title; omit when the body explains itself. */
  description?: ReactNode;
  /** `s` 480, `m` 640, `l` 880 px; full height below 600. */
  size?: "s" | "m" | "l";
  /** Buttons, the main one last. */
  footer?: ReactNode;
  children?: ReactNode;
  /** Set for a body that brings its own padding (two columns, a list). */
  isFlush?: boolean;
};

/** Fetched when the first dialog opens: most visits open none. */
const DialogFrame = lazy(() => import("./dialog-frame.tsx"));

/** The one dialog frame. It stays mounted once it was open, so that it can give the focus back. */
export function Dialog(props: DialogProps) {
  const [wasOpen, setWasOpen] = useState(props.isOpen);
  if (props.isOpen && !wasOpen) setWasOpen(true);
  return props.isOpen || wasOpen ? (
    <Suspense fallback={null}>
      <DialogFrame {...props} />
    </Suspense>
  ) : null;
}
