import { useFetcher } from "@remix-run/react";
import { Check, Copy, GitBranch } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { IconButton } from "#app/components/icon-button.tsx";
import { cloneCopy as copy } from "#app/copy/history.ts";
import { dialogCopy } from "#app/copy/shared.ts";
import { timeText } from "#app/format/dates.ts";
import { countdownText } from "#app/format/duration.ts";
import { useNow } from "#app/format/use-now.ts";
import type { signCloneUrl } from "./actions.server.ts";

export type CloneActionProps = {
  platform: string;
  itemId: string;
  name: string;
  snapshotId: string;
  version: string;
  timeZone: string;
  now: number;
  reason: string | null;
  /** A button with a word, where it belongs to a page instead of a row. */
  isWide?: boolean;
};

/** Clones a version with git: shows a signed `git clone` command for as long as it works. */
export function CloneAction(props: CloneActionProps) {
  const { platform, name, version, itemId, snapshotId, reason, isWide } = props;
  const fetcher = useFetcher<typeof signCloneUrl>();
  const [isOpen, setIsOpen] = useState(false);
  const ask = () =>
    fetcher.submit(
      { intent: "clone", itemId, snapshotId },
      { method: "POST", action: `/platform/backups/${platform}` },
    );
  const open = () => {
    setIsOpen(true);
    ask();
  };
  const answer = fetcher.state === "idle" ? fetcher.data : undefined;
  return (
    <>
      {isWide ? (
        <Button aria-label={`${copy.action}, ${version}`} reason={reason} onClick={open}>
          <GitBranch aria-hidden />
          {copy.action}
        </Button>
      ) : (
        <IconButton label={`${copy.action}, ${version}`} reason={reason} onClick={open}>
          <GitBranch aria-hidden />
        </IconButton>
      )}
      <Dialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title={copy.title(name)}
        description={copy.description(version)}
        size="m"
        footer={
          <Button variant="ghost" onClick={() => setIsOpen(false)}>
            {dialogCopy.close}
          </Button>
        }
      >
        {answer === undefined && <p role="status">{copy.preparing}</p>}
        {answer?.ok === false && <Callout tone="bad">{answer.message}</Callout>}
        {answer?.ok === true && <CloneLine {...props} {...answer.value} onAgain={ask} />}
      </Dialog>
    </>
  );
}

function CloneLine({
  url,
  expiresAt,
  timeZone,
  now: serverNow,
  onAgain,
}: CloneActionProps & { url: string; expiresAt: number; onAgain: () => void }) {
  const now = useNow(serverNow, 60_000, expiresAt);
  const [isCopied, setIsCopied] = useState(false);
  const line = `git clone ${url}`;
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), 3000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  if (expiresAt <= now) {
    return (
      <div className="row between">
        <p role="status">{copy.expired}</p>
        <Button onClick={onAgain}>{copy.again}</Button>
      </div>
    );
  }
  return (
    <div className="stack">
      <span className="field__label">{copy.label}</span>
      <div className="clone-line">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: -- long URLs scroll, also by keyboard */}
        <code tabIndex={0}>{line}</code>
        <Button
          onClick={() => {
            navigator.clipboard.writeText(line).then(
              () => setIsCopied(true),
              () => setIsCopied(false),
            );
          }}
        >
          {isCopied ? <Check aria-hidden /> : <Copy aria-hidden />}
          {isCopied ? copy.copied : copy.copy}
        </Button>
      </div>
      <p className="meta">{copy.expires(countdownText(expiresAt, now), timeText(expiresAt, timeZone))}</p>
      <p className="meta">{copy.secret}</p>
    </div>
  );
}
