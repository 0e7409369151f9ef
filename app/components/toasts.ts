/** How long a toast is shown, in milliseconds (spec A-455). */
export const TOAST_MS = 3000;

export type Toast = {
  text: string;
  tone?: "info" | "bad";
  action?: { label: string; run: () => void };
};

/* Toasts that were requested before the toaster was loaded. The first toast loads it. */
const waiting: Toast[] = [];
let show: ((toast: Toast) => void) | null = null;
let wake: (() => void) | null = null;

/** Shows a message for three seconds, with an optional action such as Undo. */
export function notify(text: string, options: Omit<Toast, "text"> = {}): void {
  const toast = { text, ...options };
  if (show) show(toast);
  else {
    waiting.push(toast);
    wake?.();
  }
}

/** True after the first toast. */
export function areToastsWanted(): boolean {
  return show !== null || waiting.length > 0;
}

/** Calls `onWanted` on the first toast. Returns a function that unsubscribes. */
export function listenToToasts(onWanted: () => void): () => void {
  wake = onWanted;
  return () => {
    wake = null;
  };
}

/** Passes all toasts, waiting and future, to the presenter. Returns a function that unsubscribes. */
export function presentToasts(presenter: (toast: Toast) => void): () => void {
  show = presenter;
  for (const toast of waiting.splice(0)) presenter(toast);
  return () => {
    show = null;
  };
}
