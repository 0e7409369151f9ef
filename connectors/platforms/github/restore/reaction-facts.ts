import type { Reaction } from "#connectors/contract/note.ts";

/** Emoji by GitHub's reaction name. */
const FEELINGS: Readonly<Record<string, string>> = {
  ...{ "+1": "👍", "-1": "👎", laugh: "😄", hooray: "🎉" },
  ...{ confused: "😕", heart: "❤️", rocket: "🚀", eyes: "👀" },
};

/** Logins by GitHub's reaction name, as stored in records. */
type Logins = Readonly<Record<string, readonly string[]>>;

/** Counts reactions by emoji. */
export function reactionsOf(reactions: Logins): Reaction[] {
  return Object.entries(reactions).map(([word, people]) => ({
    sign: FEELINGS[word] ?? word,
    count: people.length,
  }));
}

/** Lines about reactions for the top of a restored text, because an app can only react as its own account. */
export function reactionFacts(reactions: Logins): string[] {
  const lines = reactionsOf(reactions).map(({ sign, count }) => `${sign} ${count}`);
  return lines.length === 0 ? [] : [`Reactions: ${lines.join(", ")}.`];
}
