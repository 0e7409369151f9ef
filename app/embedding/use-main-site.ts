import { openOutside } from "./open-outside.ts";
import { useFrame } from "./use-frame.ts";

/**
 * Opens the page that is shown in a host's frame on the main site, in a new tab; null outside of a frame. For what refuses to
 * be framed, such as a consent, which belongs to the session there.
 */
export function useMainSite(): (() => void) | null {
  const shellOrigin = useFrame()?.shellOrigin;
  if (shellOrigin === undefined) return null;
  return () => openOutside(window.parent, shellOrigin, window.location.href);
}
