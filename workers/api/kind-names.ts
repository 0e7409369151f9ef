/** The specification's names of kinds in the plural (spec B-135, B-159, B-160), where they differ from our own. */
const NAMES: Readonly<Record<string, string>> = { repository: "repos" };

/** The name of a kind of item in the plural, as fields of the wire have it: "repos", "gists", "projects". */
export function kindName(id: string): string {
  return NAMES[id] ?? `${id}s`;
}
