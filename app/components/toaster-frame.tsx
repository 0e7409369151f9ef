import { CircleAlert, Info } from "lucide-react";
import { useEffect } from "react";
import { Toaster as Sonner, toast } from "sonner";
import { presentToasts, TOAST_MS, type Toast } from "./toasts.ts";

/** The place of the toasts: the top end (spec A-456), above dialogs; announced politely. */
export default function ToasterFrame() {
  // The list below has begun to listen by now: effects of children come first.
  useEffect(() => presentToasts(show), []);
  return (
    <Sonner
      className="toaster"
      position="top-right"
      // Each is read in full: folded, the newest would hide the one before it.
      expand
      gap={8}
      duration={TOAST_MS}
      offset={16}
      mobileOffset={16}
      toastOptions={{ unstyled: true, style: { width: "100%" } }}
    />
  );
}

function show({ text, tone, action }: Toast): void {
  const Icon = tone === "bad" ? CircleAlert : Info;
  toast.custom((id) => (
    <div className="toast" data-appearance="dark">
      <Icon aria-hidden />
      <span>{text}</span>
      {action && (
        <button
          type="button"
          onClick={() => {
            action.run();
            toast.dismiss(id);
          }}
        >
          {action.label}
        </button>
      )}
    </div>
  ));
}
