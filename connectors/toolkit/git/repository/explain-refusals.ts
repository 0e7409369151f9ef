import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import type { RefusalCause } from "../push-report.ts";
import type { GitPlatform } from "./git-platform.ts";

/** Why a platform refused a ref. */
export type RefRefusal = { cause: RefusalCause; reason: string };

const NAMES_SHOWN = 20;

/** One event per reason, with the names of the affected refs. */
export function* explainRefusals(
  refusals: ReadonlyMap<string, RefRefusal>,
  platform: Pick<GitPlatform, "name" | "advice">,
): Generator<RestoreEvent> {
  const groups = new Map<string, string[]>();
  for (const [ref, { cause, reason }] of refusals) {
    const advice = platform.advice[cause];
    // The platform's message often names the ref; removing the name groups refs with the same reason.
    const said = reason.replaceAll(ref, "this ref");
    const text =
      advice === undefined ? `${platform.name} said: ${said}` : `${advice} ${platform.name} said: ${said}`;
    groups.set(text, [...(groups.get(text) ?? []), ref.replace(/^refs\/(heads|tags)\//, "")]);
  }
  for (const [reason, names] of groups) {
    const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : "";
    yield { type: "missing", what: `${names.slice(0, NAMES_SHOWN).join(", ")}${more}`, reason };
  }
}
