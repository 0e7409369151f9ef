/** Emoji for GitHub's reaction names. */
const FEELINGS: Readonly<Record<string, string>> = {
  ...{ "+1": "👍", "-1": "👎", laugh: "😄", hooray: "🎉" },
  ...{ confused: "😕", heart: "❤️", rocket: "🚀", eyes: "👀" },
};

/** Reaction counts, for the lines above a restored text. An API client can react only as its own account. */
export function reactionFacts(reactions: Readonly<Record<string, readonly string[]>>): string[] {
  const told = Object.entries(reactions).map(
    ([word, people]) => `${FEELINGS[word] ?? word} ${people.length}`,
  );
  return told.length === 0 ? [] : [`Reactions: ${told.join(", ")}.`];
}
