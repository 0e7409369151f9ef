import { useLocation } from "@remix-run/react";
import { useEffect, useRef } from "react";

/**
 * Moves the focus to the heading after navigation inside the app, so that keyboards and screen readers continue where
 * the new page begins. A control of the page that kept the focus, such as a tab, keeps it.
 */
export function useHeadingFocus(): void {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    return followHeading();
  }, [pathname]);
}

/**
 * Focuses the heading, and the one that comes later or replaces it when the page's data arrive, until the person acts.
 * Returns a function that stops it.
 */
function followHeading(): () => void {
  const focus = () => {
    const heading = document.querySelector<HTMLElement>("main h1");
    if (!heading || document.activeElement?.closest("main")) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(focus);
  const onFocus = ({ target }: FocusEvent) => {
    if (!(target as Element).closest("main h1")) stop();
  };
  function stop() {
    observer.disconnect();
    removeEventListener("keydown", stop);
    removeEventListener("pointerdown", stop);
    removeEventListener("focusin", onFocus);
  }
  focus();
  observer.observe(document.body, { childList: true, subtree: true });
  addEventListener("keydown", stop);
  addEventListener("pointerdown", stop);
  addEventListener("focusin", onFocus);
  return stop;
}
