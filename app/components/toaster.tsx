import { CircleAlert, Info } from "lucide-react";
import { Toaster as Sonner, toast } from "sonner";

/** How long a toast stays, in milliseconds (spec A-455). */
export const TOAST_MS = 3000;

/** Where toasts appear: the top end (spec A-456), above dialogs; announced politely. */
export function Toaster() {
  return (
    <Sonner
      className="toaster"
      position="top-right"
      duration={TOAST_MS}
      offset={16}
      mobileOffset={16}
      toastOptions={{ unstyled: true, style: { width: "100%" } }}
    />
  );
}

/** Shows a sentence for three seconds, with an optional action such as Undo. */
export function notify(
  text: string,
  options: { tone?: "info" | "bad"; action?: { label: string; run: () => void } } = {},
): void {
  const Icon = options.tone === "bad" ? CircleAlert : Info;
  toast.custom((id) => (
    <div className="toast" data-appearance="dark">
      <Icon aria-hidden />
      <span>{text}</span>
      {options.action && (
        <button
          type="button"
          onClick={() => {
            options.action?.run();
            toast.dismiss(id);
          }}
        >
          {options.action.label}
        </button>
      )}
    </div>
  ));
}
