import type { RefDifference } from "#core/comparisons/views.ts";

type OldRef = Pick<RefDifference, "name" | "kind" | "change" | "isRewritten" | "before">;

/** Whether the older version has commits of a branch or tag that the newer one lost: it was deleted or rewritten. */
export function isLost({ kind, change, isRewritten, before }: OldRef): boolean {
  if (before === null || (kind !== "branch" && kind !== "tag")) return false;
  return change === "removed" || isRewritten === true;
}

/** The full name under which a branch or tag comes back. One that still exists gets another name: nothing is replaced. */
export function nameBack({ name, change }: Pick<RefDifference, "name" | "change">): string {
  return change === "removed" ? name : `${name}_restored`;
}

/**
 * The git commands that fetch a branch or tag from a version and push it to the person's own repository. The push names
 * the commit, so it fails if nothing was fetched.
 */
export function branchCommand(url: string, ref: Pick<RefDifference, "name" | "change" | "before">): string {
  const { name, before } = ref;
  return `git fetch ${url} ${quoted(name)}\ngit push origin ${quoted(`${before}:${nameBack(ref)}`)}`;
}

/** A word of a shell command. Git allows quotes, `$` and `;` in names of branches. */
function quoted(word: string): string {
  return /^[\w./:@+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
