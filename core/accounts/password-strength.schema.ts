/**
 * What makes a password easy to guess: words, repeats, common passwords (spec part 1 section 5). The word lists are
 * large, so they are loaded when the first password is judged, in browsers as a file of their own.
 */
type Judge = (password: string, personal?: readonly string[]) => boolean;

let loading: Promise<Judge> | null = null;

/** Words shorter than this stand in random passwords by chance. */
const WORD_LENGTH = 4;
/** The same where signs stand for letters, as in `4lt0`. */
const DISGUISED_LENGTH = 5;
const REPEAT_LENGTH = 3;
/** How many signs a password may be made of: letters, digits and the seven special ones. */
const SIGNS = 69;
/**
 * What words and repeats may save a guesser, in bits. Chance puts short words into passwords that a generator made,
 * the more often the less such a word saves: what saves 22 bits stands at a given place once in 2^22 passwords.
 * Two short words, or one of five letters that everybody knows, save more.
 */
const FORGIVEN_BITS = 22;
/** The same as a share of the whole: a long password has more places where chance may put a word. */
const FORGIVEN_SHARE = 1 / 4;
/** Guesses by which a password that holds a short word is still out of reach: the highest score. */
const HIGHEST_SCORE = 4;

/**
 * Loads the word lists once and answers how to judge: true for a password that is hard to guess. Personal words are
 * those that a guesser would try first, such as the person's e-mail address.
 */
export function loadStrength(): Promise<Judge> {
  loading ??= load().catch((cause: unknown) => {
    loading = null;
    throw cause;
  });
  return loading;
}

/**
 * True for a password that is hard to guess: no word, no repeat, and not the lowest score. A short word that chance may
 * have put there is forgiven where the whole has the highest score, since generators are not to be refused.
 */
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
    // Passwords made of signs that stand for letters would take a second each; words in ordinary ones are still found.
    l33tMaxSubstitutions: 20,
  });
  return (password, personal = []) => {
    const words = personal.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]);
    const { score, sequence } = estimator.check(
      password,
      words.filter((word) => word.length >= WORD_LENGTH),
    );
    if (
      sequence.some(({ pattern, dictionaryName }) => pattern === "dictionary" && dictionaryName === PERSONAL)
    ) {
      return false;
    }
    const found = sequence.filter(isGuessable);
    if (found.length === 0) return score > 0;
    const forgiven = Math.max(FORGIVEN_BITS, FORGIVEN_SHARE * bitsOf(password));
    return score >= HIGHEST_SCORE && savedBits(found) < forgiven;
  };
}

type Match = { pattern: string; token: string; guesses?: number; [fact: string]: unknown };

/** How the estimator calls the list of personal words. */
const PERSONAL = "userInputs";

/** How much less it costs to guess the found parts as what they are than sign by sign. */
function savedBits(found: readonly Match[]): number {
  return found.reduce((bits, { token, guesses = 1 }) => bits + bitsOf(token) - Math.log2(guesses), 0);
}

/** What guessing signs one by one costs, in bits. */
function bitsOf(text: string): number {
  return text.length * Math.log2(SIGNS);
}

function isGuessable({ pattern, token, l33t }: Match): boolean {
  if (pattern === "dictionary") return token.length >= (l33t === true ? DISGUISED_LENGTH : WORD_LENGTH);
  if (pattern === "repeat") return token.length >= REPEAT_LENGTH;
  return pattern === "wordSequence";
}
