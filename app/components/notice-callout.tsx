import { noticeCopy as copy } from "#app/copy/shared.ts";
import type { UrlNotice } from "#app/session/url-notice.ts";
import { Callout } from "./callout.tsx";

/** Shows the message from the page's URL. A message that is not ours is labelled as foreign and not styled as ours. */
export function NoticeCallout({
  notice,
  tone,
  title = null,
}: {
  notice: UrlNotice;
  tone: "warn" | "bad";
  /** What the message is about. A foreign text has none. */
  title?: string | null;
}) {
  if (notice.isOurs) {
    return (
      <Callout tone={tone}>
        {title !== null && <p className="medium">{title}</p>}
        <p>{notice.text}</p>
      </Callout>
    );
  }
  return (
    <Callout>
      <ForeignText text={notice.text} />
    </Callout>
  );
}

/** A text that is not ours, with a sentence that says so. */
export function ForeignText({ text }: { text: string }) {
  return (
    <>
      <p>{copy.foreign}</p>
      <p className="soft">
        <q dir="auto">{text}</q>
      </p>
    </>
  );
}
