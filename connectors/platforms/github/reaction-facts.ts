/** GitHub's words for the feelings, as people see them. */
const FEELINGS: Readonly<Record<string, string>> = {
  ...{ "+1": "👍", "-1": "👎", laugh: "😄", hooray: "🎉" },
  ...{ confused: "😕", heart: "❤️", rocket: "🚀", eyes: "👀" },
};

/** How many felt what, for the lines above a restored text: a program can only react in the name of its own account. */
export function reactionFacts(reactions: Readonly<Record<string, readonly string[]>>): string[] {
  const told = Object.entries(reactions).map(
    ([word, people]) => `${FEELINGS[word] ?? word} ${people.length}`,
  );
  return told.length === 0 ? [] : [`Reactions: ${told.join(", ")}.`];
}
