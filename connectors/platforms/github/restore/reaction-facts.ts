import type { Reaction } from "#connectors/contract/note.ts";

/** GitHub's words for the feelings, as people see them. */
const FEELINGS: Readonly<Record<string, string>> = {
  ...{ "+1": "👍", "-1": "👎", laugh: "😄", hooray: "🎉" },
  ...{ confused: "😕", heart: "❤️", rocket: "🚀", eyes: "👀" },
};

/** Logins by GitHub's word for the feeling, as a record keeps them. */
type Logins = Readonly<Record<string, readonly string[]>>;

/** How many felt what. */
export function reactionsOf(reactions: Logins): Reaction[] {
  return Object.entries(reactions).map(([word, people]) => ({
    sign: FEELINGS[word] ?? word,
    count: people.length,
  }));
}

/** The same for the lines above a restored text: a program can only react in the name of its own account. */
export function reactionFacts(reactions: Logins): string[] {
  const told = reactionsOf(reactions).map(({ sign, count }) => `${sign} ${count}`);
  return told.length === 0 ? [] : [`Reactions: ${told.join(", ")}.`];
}
