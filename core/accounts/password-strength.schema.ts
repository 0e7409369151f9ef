/**
 * Detects passwords that are easy to guess: words, repeats, common passwords (spec part 1 section 5). The word lists
 * are large, so they load when the first password is judged, in browsers as a separate file.
 */
type Judge = (password: string, personal?: readonly string[]) => boolean;

let loading: Promise<Judge> | null = null;

/** Shorter words occur in random passwords by chance. */
const WORD_LENGTH = 4;
/** The same for words with symbols in place of letters, as in `4lt0`. */
const DISGUISED_LENGTH = 5;
const REPEAT_LENGTH = 3;

/**
 * Loads the word lists once and returns a function that is true for passwords that are hard to guess. `personal` words
 * are those that an attacker would try first, such as the person's e-mail address.
 */
export function loadStrength(): Promise<Judge> {
  loading ??= load().catch((cause: unknown) => {
    loading = null;
    throw cause;
  });
  return loading;
}

/** True for a password that is hard to guess: no word, no repeat, and not the lowest score. */
export async function isStrongPassword(password: string, personal: readonly string[] = []): Promise<boolean> {
  return (await loadStrength())(password, personal);
}

async function load(): Promise<Judge> {
  const [{ ZxcvbnFactory }, common, english] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
    import("@zxcvbn-ts/language-en"),
  ]);
  const estimator = new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
    // Without this limit, a password made of symbols that stand for letters takes a second to check. Words in ordinary
    // passwords are still found.
    l33tMaxSubstitutions: 20,
  });
  return (password, personal = []) => {
    const words = personal.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]);
    const { score, sequence } = estimator.check(
      password,
      words.filter((word) => word.length >= WORD_LENGTH),
    );
    return score > 0 && !sequence.some(isGuessable);
  };
}

type Match = { pattern: string; token: string; [fact: string]: unknown };

function isGuessable({ pattern, token, l33t }: Match): boolean {
  if (pattern === "dictionary") return token.length >= (l33t === true ? DISGUISED_LENGTH : WORD_LENGTH);
  if (pattern === "repeat") return token.length >= REPEAT_LENGTH;
  return pattern === "wordSequence";
}
