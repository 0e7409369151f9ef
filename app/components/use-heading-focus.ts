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
    const heading = document.querySelector<HTMLElement>("main h1");
    if (!heading || document.activeElement?.closest("main")) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }, [pathname]);
}
