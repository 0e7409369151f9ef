import { lazy, Suspense, useSyncExternalStore } from "react";

/** How long a toast stays, in milliseconds (spec A-455). */
export const TOAST_MS = 3000;

export type Toast = {
  text: string;
  tone?: "info" | "bad";
  action?: { label: string; run: () => void };
};

/** Fetched with the first toast. */
const ToasterFrame = lazy(() => import("./toaster-frame.tsx"));

const waiting: Toast[] = [];
let show: ((toast: Toast) => void) | null = null;
let wake: (() => void) | null = null;

/** Where toasts appear; once on every page. */
export function Toaster() {
  const isWanted = useSyncExternalStore(
    (onChange) => {
      wake = onChange;
      return () => {
        wake = null;
      };
    },
    () => show !== null || waiting.length > 0,
    () => false,
  );
  return isWanted ? (
    <Suspense fallback={null}>
      <ToasterFrame />
    </Suspense>
  ) : null;
}

/** Shows a sentence for three seconds, with an optional action such as Undo. */
export function notify(text: string, options: Omit<Toast, "text"> = {}): void {
  const toast = { text, ...options };
  if (show) show(toast);
  else {
    waiting.push(toast);
    wake?.();
  }
}

/** Hands the toasts, those that waited and all to come, to whoever can show them; the answer ends it. */
export function presentToasts(presenter: (toast: Toast) => void): () => void {
  show = presenter;
  for (const toast of waiting.splice(0)) presenter(toast);
  return () => {
    show = null;
  };
}
