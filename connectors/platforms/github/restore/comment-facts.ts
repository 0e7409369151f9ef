import { hiddenWords } from "../read/thread-notes.ts";

/** Earlier comments that others may reply to, by their ids. */
export type Said = Map<string, { author: string | null; url: string | null }>;

/** Lines of a change that the copy of a comment shows at most. */
const HUNK_LINES = 10;

/** Says which comment a reply is to: GitHub puts restored comments into one list. */
export function replyFacts(id: string | null, said: Said): string[] {
  const to = id === null ? undefined : said.get(id);
  if (to === undefined) return [];
  const whom = to.author === null ? "somebody whose account is gone" : `**${to.author}**`;
  return [`A reply to ${whom}${to.url === null ? "" : ` (${to.url})`}.`];
}

/** Says who resolved the conversation that a comment begins. */
export function resolvedFacts(resolved: ReadonlyMap<string, string | null>, id: string | null): string[] {
  if (id === null || !resolved.has(id)) return [];
  const by = resolved.get(id) ?? null;
  return [by === null ? "Resolved." : `Resolved by **${by}**.`];
}

/** Says that a comment is hidden in the original, and why. */
export function hiddenFacts(reason: string | null): string[] {
  const words = hiddenWords(reason);
  return words === null ? [] : [`${words} in the original.`];
}

/** The last lines of the change that a comment is about, as a block of code. GitHub's page shows four of them. */
export function hunkText(hunk: string | null): string {
  if (hunk === null) return "";
  const [head = "", ...lines] = hunk.split("\n");
  const shown = [head, ...lines.slice(-HUNK_LINES)].join("\n");
  const fence = "`".repeat(Math.max(3, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  return `${fence}diff\n${shown}\n${fence}\n\n`;
}
