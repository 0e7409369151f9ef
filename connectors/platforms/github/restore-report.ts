import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import type { RefusalCause } from "#connectors/toolkit/git/push-report.ts";

/** Why GitHub did not take a ref. */
export type Refusal = { cause: RefusalCause; reason: string };

/** What the user can do about it, added to GitHub's own sentence. */
const ADVICE: Partial<Record<RefusalCause, string>> = {
  "push-protection":
    "The history holds a secret that GitHub's push protection blocks. Switch push protection off for the new repository (Settings, Advanced Security), restore again, then switch it on and revoke the secret.",
  "workflow-permission":
    "The history holds workflow files. Grant Holdfast's GitHub App the permission 'Workflows: write' and restore again.",
  "missing-lfs-object":
    "The files of Git LFS lie outside git. Push them to the new repository with 'git lfs push --all' and restore again.",
  "protected-ref":
    "A rule of the organisation protects this name. Lift it for the new repository and restore again.",
  "file-too-large": "GitHub takes no files above 100 MB. Download the ZIP: it holds them.",
  "hidden-ref": "GitHub keeps these refs to itself.",
};
const NAMES_SHOWN = 20;

/** One event for each reason, with the names of the refs it met. */
export function* explainRefusals(refusals: ReadonlyMap<string, Refusal>): Generator<RestoreEvent> {
  const groups = new Map<string, string[]>();
  for (const [ref, { cause, reason }] of refusals) {
    const advice = ADVICE[cause];
    // GitHub's sentence often names the ref; refs with one fate share one event.
    const said = reason.replaceAll(ref, "this ref");
    const text = advice === undefined ? `GitHub said: ${said}` : `${advice} GitHub said: ${said}`;
    groups.set(text, [...(groups.get(text) ?? []), ref.replace(/^refs\/(heads|tags)\//, "")]);
  }
  for (const [reason, names] of groups) {
    const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : "";
    yield { type: "impossible", what: `${names.slice(0, NAMES_SHOWN).join(", ")}${more}`, reason };
  }
}
