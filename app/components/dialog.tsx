import type { DialogProps } from "./dialog-frame.tsx";
import { lazyWhenOpen } from "./lazy-when-open.tsx";

/** The dialog frame that all dialogs share. Loaded on first use. */
export const Dialog = lazyWhenOpen<DialogProps>(() => import("./dialog-frame.tsx"));
