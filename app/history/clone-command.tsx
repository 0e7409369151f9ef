import { useFetcher } from "@remix-run/react";
import { Check, Copy } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { cloneCopy as copy } from "#app/copy/history.ts";
import { dialogCopy } from "#app/copy/shared.ts";
import { timeText } from "#app/format/dates.ts";
import { countdownText } from "#app/format/duration.ts";
import { useNow } from "#app/format/use-now.ts";

export type CloneCommandProps = {
  platform: string;
  itemId: string;
  snapshotId: string;
  timeZone: string;
  now: number;
  title: string;
  description: string;
  /** Where to run the commands. */
  label: string;
  /** What git does with the address of the version. */
  command: (url: string) => string;
  trigger: (open: () => void) => ReactNode;
};

/** Shows git commands with a signed address of a version for as long as it works. */
export function CloneCommand(props: CloneCommandProps) {
  const { platform, itemId, snapshotId, title, description, trigger } = props;
  const fetcher = useFetcher<
    { ok: true; value: { url: string; expiresAt: number } } | { ok: false; message: string }
  >();
  const [isOpen, setIsOpen] = useState(false);
  const ask = () =>
    fetcher.submit(
      { intent: "clone", itemId, snapshotId },
      { method: "POST", action: `/platform/backups/${platform}` },
    );
  const answer = fetcher.state === "idle" ? fetcher.data : undefined;
  return (
    <>
      {trigger(() => {
        setIsOpen(true);
        ask();
      })}
      <Dialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title={title}
        description={description}
        size="m"
        footer={
          <Button variant="ghost" onClick={() => setIsOpen(false)}>
            {dialogCopy.close}
          </Button>
        }
      >
        {answer === undefined && <p role="status">{copy.preparing}</p>}
        {answer?.ok === false && <Callout tone="bad">{answer.message}</Callout>}
        {answer?.ok === true && <CommandLine {...props} {...answer.value} onAgain={ask} />}
      </Dialog>
    </>
  );
}

function CommandLine({
  url,
  expiresAt,
  timeZone,
  now: serverNow,
  label,
  command,
  onAgain,
}: CloneCommandProps & { url: string; expiresAt: number; onAgain: () => void }) {
  const now = useNow(serverNow, 60_000, expiresAt);
  const [isCopied, setIsCopied] = useState(false);
  const line = command(url);
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
      <span className="field__label">{label}</span>
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
