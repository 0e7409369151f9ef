import type { ReactNode } from "react";
import { lazyWhenOpen } from "./lazy-when-open.tsx";

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

/** The one dialog frame. */
export const Dialog = lazyWhenOpen<DialogProps>(() => import("./dialog-frame.tsx"));
