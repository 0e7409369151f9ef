import { Cloud, CloudOff } from "lucide-react";
import { historyCopy } from "#app/copy/history.ts";
import { dateTimeText } from "#app/format/dates.ts";
import type { VersionCopy } from "#core/backups/views.ts";

const copy = historyCopy.copies;

/**
 * Shows whether a version is copied to the customer's own storage. Renders nothing when it is not meant to be copied.
 */
export function CopyMark({ of, timeZone, now }: { of: VersionCopy | null; timeZone: string; now: number }) {
  if (of === null) return null;
  const Icon = of.status === "failed" ? CloudOff : Cloud;
  const tone = { waiting: "soft", copying: "run-t", stored: "ok-t", failed: "bad-t" }[of.status];
  const text = textOf(of, timeZone, now);
  return (
    <span className="copy-mark" title={text}>
      <Icon className={`icon-s ${tone}`} aria-hidden />
      <span className="sr">{text}</span>
    </span>
  );
}

function textOf(
  { status, path, storedAt, text, nextTryAt }: VersionCopy,
  timeZone: string,
  now: number,
): string {
  const time = (at: number) => dateTimeText(at, timeZone, now);
  switch (status) {
    case "waiting":
      return text === null ? copy.waiting : copy.waitingFor(text);
    case "copying":
      return copy.copying;
    case "stored":
      return copy.stored(storedAt === null ? "" : time(storedAt), path ?? "");
    case "failed":
      return copy.failed(text ?? "", nextTryAt === null ? null : time(nextTryAt));
    default:
      return status satisfies never;
  }
}
