import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { useEffect, useState } from "react";
import { callApi } from "#app/api/call-api.ts";
import { BarePage } from "#app/components/bare-page.tsx";
import { buttonClass } from "#app/components/button.tsx";
import { PageFailure } from "#app/components/page-failure.tsx";
import { frameCopy as copy } from "#app/copy/embedding.ts";
import { enterFrame, type FrameEntrance, type FrameSurroundings } from "#app/embedding/enter-frame.ts";
import { frameDoor } from "./queries.server.ts";

export const loader = ({ context, params }: LoaderFunctionArgs) => frameDoor(context, params.host ?? "");

/** The first page in a host's frame: opens the session of the person whom the host names (reference: board-providers.md 3.5). */
export default function FrameDoor() {
  const { publicUrl } = useLoaderData<typeof loader>();
  const [trouble, setTrouble] = useState<Exclude<FrameEntrance["kind"], "in"> | null>(null);
  useEffect(() => {
    let isGone = false;
    // Outside of a frame there is nobody to ask.
    if (window.parent === window) window.location.replace("/");
    else
      void enterFrame(around()).then((entered) => {
        if (isGone) return;
        if (entered.kind === "in") window.location.replace(entered.next);
        else setTrouble(entered.kind);
      });
    return () => {
      isGone = true;
    };
  }, []);
  return (
    <BarePage>
      {trouble === null ? (
        <p className="soft" role="status">
          {copy.opening}
        </p>
      ) : (
        <>
          <p role="alert">{trouble === "refused" ? copy.refused : copy.noCookies}</p>
          <a
            className={buttonClass({ variant: "solid", size: "m" })}
            href={publicUrl}
            target="_blank"
            rel="noopener"
          >
            {copy.open}
          </a>
        </>
      )}
    </BarePage>
  );
}

function around(): FrameSurroundings {
  return {
    parent: window.parent,
    listen: (take) => {
      window.addEventListener("message", take);
      return () => window.removeEventListener("message", take);
    },
    secret: () => base64Url(crypto.getRandomValues(new Uint8Array(32))),
    sha256Hex: async (text) => {
      const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
      return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    },
    exchange: async (input) =>
      (await callApi("POST identity/host/exchange", input, { isQuiet: true })).result,
    isKept: async () => (await callApi("GET identity/host/frame", {}, { isQuiet: true })).result.is_kept,
  };
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

export function ErrorBoundary() {
  return (
    <BarePage>
      <PageFailure />
    </BarePage>
  );
}
