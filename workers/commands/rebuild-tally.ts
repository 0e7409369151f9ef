import type { RebuildEvent } from "#core/recovery/index.ts";

/** Counts what a rebuild found, for a maintainer. */
export function tallyRebuild() {
  const counts = { rebuilt: 0, versions: 0, present: 0, erased: 0, problem: 0 };
  return {
    /** Returns the line to print at once, or null. */
    note(event: RebuildEvent): string | null {
      counts[event.type]++;
      if (event.type === "rebuilt") counts.versions += event.versions;
      if (event.type === "problem")
        return `\u2717 ${[event.organisationId, event.itemId].filter((id) => id !== null).join("/")}: ${event.message}`;
      const done = counts.rebuilt + counts.present;
      return done % 100 === 0 && event.type !== "erased" ? `\u00b7 ${done} items` : null;
    },
    isWhole: () => counts.problem === 0,
    text: () =>
      `${counts.rebuilt} items with ${counts.versions} versions were rebuilt, ${counts.present} were there already, ` +
      `${counts.erased} had been erased. ${counts.problem === 0 ? "Nothing was left out." : `Left out: ${counts.problem}, see above.`}`,
  };
}
