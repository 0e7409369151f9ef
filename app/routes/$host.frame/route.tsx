import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { useEffect, useState } from "react";
import { BarePage } from "#app/components/bare-page.tsx";
import { buttonClass } from "#app/components/button.tsx";
import { PageFailure } from "#app/components/page-failure.tsx";
import { frameCopy as copy } from "#app/copy/embedding.ts";
import { enterFrame, type FrameEntrance } from "#app/embedding/enter-frame.ts";
import { frameSurroundings } from "#app/embedding/frame-surroundings.ts";
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
      void enterFrame(frameSurroundings()).then((entered) => {
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

export function ErrorBoundary() {
  return (
    <BarePage>
      <PageFailure />
    </BarePage>
  );
}
