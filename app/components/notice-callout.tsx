import { noticeCopy as copy } from "#app/copy/shared.ts";
import type { UrlNotice } from "#app/session/url-notice.ts";
import { Callout } from "./callout.tsx";

/** Shows the message from the page's URL. A message that is not ours is labelled as foreign and not styled as ours. */
export function NoticeCallout({ notice, tone }: { notice: UrlNotice; tone: "warn" | "bad" }) {
  if (notice.isOurs) return <Callout tone={tone}>{notice.text}</Callout>;
  return (
    <Callout>
      <p>{copy.foreign}</p>
      <p className="soft">
        <q dir="auto">{notice.text}</q>
      </p>
    </Callout>
  );
}
