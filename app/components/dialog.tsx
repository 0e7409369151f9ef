import type { DialogProps } from "./dialog-frame.tsx";
import { lazyWhenOpen } from "./lazy-when-open.tsx";

/** The one dialog frame. */
export const Dialog = lazyWhenOpen<DialogProps>(() => import("./dialog-frame.tsx"));
