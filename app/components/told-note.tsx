import { toldCopy as copy } from "#app/copy/shared.ts";
import type { Told } from "#app/session/told.ts";
import { Callout } from "./callout.tsx";

/** Shows the message from the page's URL. A message that is not ours is labelled as foreign and not styled as ours. */
export function ToldNote({ told, tone }: { told: Told; tone: "warn" | "bad" }) {
  if (told.isOurs) return <Callout tone={tone}>{told.text}</Callout>;
  return (
    <Callout>
      <p>{copy.foreign}</p>
      <p className="soft">
        <q dir="auto">{told.text}</q>
      </p>
    </Callout>
  );
}
