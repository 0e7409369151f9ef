/** How long a toast stays, in milliseconds (spec A-455). */
export const TOAST_MS = 3000;

export type Toast = {
  text: string;
  tone?: "info" | "bad";
  action?: { label: string; run: () => void };
};

/* Toasts may be asked for before there is anything to show them: what shows them is fetched with the first one. */
const waiting: Toast[] = [];
let show: ((toast: Toast) => void) | null = null;
let wake: (() => void) | null = null;

/** Shows a sentence for three seconds, with an optional action such as Undo. */
export function notify(text: string, options: Omit<Toast, "text"> = {}): void {
  const toast = { text, ...options };
  if (show) show(toast);
  else {
    waiting.push(toast);
    wake?.();
  }
}

/** True once there was a toast. */
export function areToastsWanted(): boolean {
  return show !== null || waiting.length > 0;
}

/** Hears of the first toast; the answer ends it. */
export function listenToToasts(onWanted: () => void): () => void {
  wake = onWanted;
  return () => {
    wake = null;
  };
}

/** Hands the toasts, those that waited and all to come, to whoever can show them; the answer ends it. */
export function presentToasts(presenter: (toast: Toast) => void): () => void {
  show = presenter;
  for (const toast of waiting.splice(0)) presenter(toast);
  return () => {
    show = null;
  };
}
