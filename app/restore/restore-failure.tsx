import { Callout } from "#app/components/callout.tsx";
import { restoreWords } from "#connectors/registry/restore-words.generated.ts";

/** Why a restore did not start, and on some platforms what to do (spec P-435). */
export function RestoreFailure({ platform, text }: { platform: string; text: string }) {
  const advice = restoreWords[platform]?.failed;
  if (advice === undefined) return <Callout tone="bad">{text}</Callout>;
  // Without a message of its own the failure is the advice, and a text of a failure has no full stop.
  if (advice === text || advice === `${text}.`) return <Callout tone="bad">{advice}</Callout>;
  return (
    <Callout tone="bad">
      <p>{text}</p>
      <p>{advice}</p>
    </Callout>
  );
}
