import { CircleAlert, Info } from "lucide-react";
import { useEffect } from "react";
import { Toaster as Sonner, toast } from "sonner";
import { presentToasts, TOAST_MS, type Toast } from "./toasts.ts";

/** Below the top bar, so that no toast covers the running jobs. */
const OFFSET = { top: 64, right: 16, left: 16 };

/** The toast region: top end (spec A-456), above dialogs, announced politely. */
export default function ToasterFrame() {
  // Effects of children run first, so the list below is already listening.
  useEffect(() => presentToasts(show), []);
  return (
    <Sonner
      className="toaster"
      position="top-right"
      // Show every toast in full: when collapsed, the newest would hide the previous one.
      expand
      gap={8}
      duration={TOAST_MS}
      offset={OFFSET}
      mobileOffset={OFFSET}
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
