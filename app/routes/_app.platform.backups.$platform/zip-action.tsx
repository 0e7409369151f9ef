import { Download, LoaderCircle } from "lucide-react";
import { useRef, useState } from "react";
import { ApiError } from "#app/api/call-api.ts";
import { callPlatform } from "#app/api/call-platform.ts";
import { Button } from "#app/components/button.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { IconButton } from "#app/components/icon-button.tsx";
import { zipCopy } from "#app/copy/history.ts";
import { dialogCopy } from "#app/copy/shared.ts";
import { openTab } from "#app/embedding/open-outside.ts";
import { countdownText } from "#app/format/duration.ts";
import { useNow } from "#app/format/use-now.ts";
import { useRefresh } from "#app/live/use-refresh.tsx";
import type { HistoryRow } from "#core/backups/views.ts";

export type ZipActionProps = {
  platform: string;
  kind: string;
  itemId: string;
  snapshotId: string;
  /** When the version was taken, as shown next to it. Distinguishes otherwise identical buttons. */
  version: string;
  zip: HistoryRow["zip"];
  now: number;
  /** Why the user cannot download; null when they can. */
  reason: string | null;
  /** A button with a word, where it belongs to a page instead of a row. */
  isWide?: boolean;
};

type Message = { title: string; text: string };

/**
 * Downloads one version as a ZIP: requests it, shows that it is being prepared, then offers the link with its remaining
 * time (updated every minute). After it expires, a new ZIP can be requested (spec P-219 to P-222).
 */
export function ZipAction(props: ZipActionProps) {
  const { zip, version, reason, isWide = false } = props;
  const now = useNow(props.now, 60_000, zip.expiresAt);
  const refresh = useRefresh();
  const [isAsking, setIsAsking] = useState(false);
  const [message, setMessage] = useState<Message | null>(null);
  const place = useRef<HTMLSpanElement>(null);
  const state = zipState(zip, now);

  async function ask() {
    setIsAsking(true);
    /* The button disappears while the ZIP is prepared, so keep the focus here. */
    place.current?.focus();
    try {
      const url = await requestZip(props);
      /* Reload the row: it shows how long the link works, or that the ZIP is being prepared. */
      refresh();
      if (url !== null) openTab(url);
      else setMessage({ title: zipCopy.preparingTitle, text: zipCopy.preparingText });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (!error.isShown) setMessage({ title: zipCopy.warning, text: error.message });
    } finally {
      setIsAsking(false);
    }
  }

  return (
    <span className="zip-action" ref={place} tabIndex={-1}>
      {isAsking || state === "pending" ? (
        <span className="zip-state" role="status">
          <LoaderCircle className="icon-s spin" aria-hidden />
          {zipCopy.preparing}
        </span>
      ) : state === "ready" && zip.url !== null && reason === null ? (
        <ReadyLink url={zip.url} left={leftOf(zip, now)} version={version} />
      ) : (
        <>
          {state === "expired" && <span className="zip-state soft">{zipCopy.expired}</span>}
          {state === "failed" && <span className="zip-state bad-t">{zipCopy.failed}</span>}
          <AskButton
            label={`${state === "none" || state === "ready" ? zipCopy.request : zipCopy.again}, ${version}`}
            reason={reason}
            isWide={isWide}
            onClick={ask}
          />
        </>
      )}
      <Dialog
        isOpen={message !== null}
        onClose={() => setMessage(null)}
        title={message?.title ?? ""}
        footer={
          <Button variant="solid" onClick={() => setMessage(null)}>
            {dialogCopy.close}
          </Button>
        }
      >
        <p>{message?.text}</p>
      </Dialog>
    </span>
  );
}

function AskButton({
  label,
  reason,
  isWide,
  onClick,
}: {
  label: string;
  reason: string | null;
  isWide: boolean;
  onClick: () => void;
}) {
  if (isWide)
    return (
      <Button aria-label={label} reason={reason} onClick={onClick}>
        <Download aria-hidden />
        {zipCopy.word}
      </Button>
    );
  return (
    <IconButton label={label} reason={reason} onClick={onClick}>
      <Download aria-hidden />
    </IconButton>
  );
}

/** The displayed state: a link past its expiry is expired, whatever the row says. */
export function zipState(zip: HistoryRow["zip"], now: number): HistoryRow["zip"]["status"] {
  const isOver = zip.expiresAt !== null && zip.expiresAt <= now;
  return zip.status === "ready" && isOver ? "expired" : zip.status;
}

/**
 * Calls the platform's path. Returns the URL of a ready ZIP, or null while it is being prepared (spec P-411, P-412).
 */
export async function requestZip(
  request: Pick<ZipActionProps, "platform" | "kind" | "itemId" | "snapshotId"> & { reachedOnly?: boolean },
  options: { fetch?: typeof fetch } = {},
): Promise<string | null> {
  const { platform, kind, itemId, snapshotId, reachedOnly = false } = request;
  const { result } = await callPlatform(
    { platform, does: "request-zip", kind },
    { itemId, snapshotId, ...(reachedOnly && { reachedOnly }) },
    { fetch: options.fetch },
  );
  return result?.url || null;
}

function ReadyLink({ url, left, version }: { url: string; left: string; version: string }) {
  return (
    <a
      className="zip-state link"
      href={url}
      target="_blank"
      rel="noreferrer"
      aria-label={`${zipCopy.readyName(left)}, ${version}`}
    >
      <Download className="icon-s" aria-hidden />
      {zipCopy.ready(left)}
    </a>
  );
}

function leftOf(zip: HistoryRow["zip"], now: number): string {
  return zip.expiresAt === null ? "" : countdownText(zip.expiresAt, now);
}
