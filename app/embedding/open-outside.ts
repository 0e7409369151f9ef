import type { FrameMessage } from "./messages.ts";

/**
 * Opens one of our pages in a new tab. A sandboxed frame may not open one itself, so the app's page around it does. Only that
 * page receives the path.
 */
export function openOutside(parent: Pick<Window, "postMessage">, shellOrigin: string, path: string): void {
  const message: FrameMessage = { type: "holdfast:open", path };
  parent.postMessage(message, shellOrigin);
}
