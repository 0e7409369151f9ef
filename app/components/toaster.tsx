import { lazy, Suspense, useSyncExternalStore } from "react";
import { areToastsWanted, listenToToasts } from "./toasts.ts";

/** Loaded with the first toast. */
const ToasterFrame = lazy(() => import("./toaster-frame.tsx"));

/** Renders the toasts. Used once on every page. */
export function Toaster() {
  const isWanted = useSyncExternalStore(listenToToasts, areToastsWanted, () => false);
  return isWanted ? (
    <Suspense fallback={null}>
      <ToasterFrame />
    </Suspense>
  ) : null;
}
