import { Callout } from "#app/components/callout.tsx";
import { restoreWords } from "#connectors/registry/restore-words.generated.ts";

/** Why a restore did not start, and on some platforms what to do (spec P-435). */
export function RestoreFailure({ platform, text }: { platform: string; text: string }) {
  const advice = restoreWords[platform]?.failed;
  if (advice === undefined || advice === text) return <Callout tone="bad">{text}</Callout>;
  return (
    <Callout tone="bad">
      <p>{text}</p>
      <p>{advice}</p>
    </Callout>
  );
}
