import { useRevalidator, useRouteLoaderData } from "@remix-run/react";
import { useEffect } from "react";
import { storeCookie } from "#app/session/browser-cookie.ts";
import { type FrameMessage, type HostMode, modeIn } from "./messages.ts";

/** Kept apart for the host's pages, so that our own site never sees it. */
const MODE_COOKIE = "host-mode";

/** How the host around the page shows its pages, as the app's page last said; null = outside of a frame, or not known yet. */
export function hostModeOf(cookieHeader: string | null): HostMode | null {
  const mode = /(?:^|;\s*)host-mode=(light|dark)(?:;|$)/.exec(cookieHeader ?? "")?.[1];
  return (mode as HostMode | undefined) ?? null;
}

/**
 * Keeps our pages in a host's frame light or dark as the host is: asks the app's page around, and hears when it changes. The
 * answer is a cookie, so that the server renders the next page in it.
 */
export function useHostMode(): void {
  const { revalidate } = useRevalidator();
  const known = useRouteLoaderData<{ hostMode: HostMode | null }>("root")?.hostMode ?? null;
  useEffect(() => {
    if (window.parent === window) return;
    const take = ({ data, source }: MessageEvent) => {
      const mode = source === window.parent ? modeIn(data) : null;
      if (mode === null || mode === known) return;
      storeCookie({ name: MODE_COOKIE, value: mode });
      revalidate();
    };
    window.addEventListener("message", take);
    const question: FrameMessage = { type: "holdfast:ask-mode" };
    // Who is around is not known on the first page, and the question is no secret.
    window.parent.postMessage(question, "*");
    return () => window.removeEventListener("message", take);
  }, [known, revalidate]);
}
