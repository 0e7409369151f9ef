import { toldCopy as copy } from "#app/copy/shared.ts";
import type { Told } from "#app/session/told.ts";
import { Callout } from "./callout.tsx";

/** What the address of a page tells. Words that are not ours are said to be another's, and get no colour of ours. */
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
