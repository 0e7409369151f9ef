import { invokeRemote, router, view } from "@forge/bridge";
import type { FrameMessage, ShellMessage } from "./messages.ts";

/**
 * The app's page at Jira: shows our site in a frame and hands it a one-time code for the person who looks at it. It holds no
 * secret and decides nothing: Atlassian signs the call, and our server answers it. `npm run forge` bundles it to
 * `static/shell/shell.js`.
 */
const frame = document.querySelector<HTMLIFrameElement>("#product");
const address = frame?.dataset.src;
if (!frame || address === undefined) throw new Error("The page has no frame.");
const { origin } = new URL(address);
const page = document.documentElement;
const changes = new MutationObserver(sendMode);

window.addEventListener("message", (event: MessageEvent<FrameMessage>) => {
  if (event.origin !== origin || event.source !== frame.contentWindow) return;
  const message = event.data;
  if (message.type === "holdfast:ready") void handOver(message);
  if (message.type === "holdfast:ask-mode") {
    sendMode();
    changes.observe(page, { attributeFilter: ["data-color-mode"] });
  }
  if (message.type === "holdfast:open") void router.open(new URL(message.path, origin).href);
});
// Sets the attribute `data-color-mode` (@atlaskit/tokens) as Jira's own pages are, and keeps it so. Without it, our pages follow
// the system.
view.theme.enable().catch(() => {});
// Only now, so that no message of the frame is missed.
frame.src = address;

function sendMode(): void {
  const mode = page.dataset.colorMode;
  if (mode === "light" || mode === "dark") answer({ type: "holdfast:mode", mode });
}

/** Asks our server for a code that only the frame with this challenge can use, and gives it to our site alone. */
async function handOver({ challenge, connects }: { challenge: string; connects?: true }): Promise<void> {
  const result = await invokeRemote({
    path: "/forge/session",
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: { challenge, origin: window.location.origin, ...(connects ? { connects } : {}) },
  }).catch(() => null);
  const body = (result as { body?: { result?: { code?: unknown; reason?: unknown } } } | null)?.body;
  const { code, reason } = body?.result ?? {};
  answer(
    typeof code === "string"
      ? { type: "holdfast:code", code }
      : { type: "holdfast:refused", ...(typeof reason === "string" ? { reason } : {}) },
  );
}

function answer(message: ShellMessage): void {
  frame?.contentWindow?.postMessage(message, origin);
}
