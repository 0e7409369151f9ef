import { useEffect } from "react";
import type { FrameMessage } from "./messages.ts";
import { useFrame } from "./use-frame.ts";

/**
 * Opens a page in a new tab. A sandboxed frame may not open one itself, so the app's page around it does. Only that page
 * receives the address: one of our paths, or a URL.
 */
export function openOutside(parent: Pick<Window, "postMessage">, shellOrigin: string, path: string): void {
  const message: FrameMessage = { type: "holdfast:open", path };
  parent.postMessage(message, shellOrigin);
}

/** In a host's frame, lets the app's page open every link that wants a new tab. */
export function useOutsideLinks(): void {
  const shellOrigin = useFrame()?.shellOrigin;
  useEffect(() => {
    if (shellOrigin === undefined) return;
    const take = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      if (link?.target !== "_blank" || event.defaultPrevented) return;
      event.preventDefault();
      openOutside(window.parent, shellOrigin, link.href);
    };
    document.addEventListener("click", take);
    return () => document.removeEventListener("click", take);
  }, [shellOrigin]);
}

/** Opens a page in a new tab as a link does. */
export function openTab(url: string): void {
  const link = Object.assign(document.createElement("a"), {
    href: url,
    target: "_blank",
    rel: "noopener noreferrer",
  });
  document.body.appendChild(link);
  link.click();
  link.remove();
}
