import { useLocation } from "@remix-run/react";
import { ExternalLink } from "lucide-react";
import { buttonClass } from "#app/components/button.tsx";
import { frameCopy as copy } from "#app/copy/embedding.ts";
import { useFrame } from "./use-frame.ts";

/**
 * Says in a host's frame what needs the main site, and opens it (spec A-030, P-003, P-445). It cannot be dismissed: consent
 * pages of platforms refuse to be framed.
 */
export function FrameNotice() {
  const frame = useFrame();
  const { pathname, search } = useLocation();
  if (!frame) return null;
  return (
    <section className="banner banner-info" aria-label={copy.label(frame.label)}>
      <ExternalLink aria-hidden />
      <p>{copy.attachments(frame.label)}</p>
      <span className="banner__acts">
        <a
          className={buttonClass({ variant: "outline", size: "s" })}
          href={pathname + search}
          target="_blank"
          rel="noopener"
        >
          {copy.open}
        </a>
      </span>
    </section>
  );
}
