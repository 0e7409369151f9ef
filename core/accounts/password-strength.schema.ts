import * as z from "zod/mini";
import { invariant } from "#core/kernel/invariant.ts";

/**
 * Finds passwords that are easy to guess: words, repeats, common passwords (spec part 1 section 5). The word lists are
 * a file of the screens' build, because they would make up a third of the Worker's script. They are fetched when the
 * first password is checked.
 */
type Judge = (password: string, personal?: readonly string[]) => boolean;
type FetchLists = () => Promise<Response>;

/** Where the word lists are, from the root of the screens' files. */
export const WORD_LISTS_PATH = "/word-lists.json";

/** The file of word lists; a list in one string is compressed. */
export const wordListsSchema = z.object({
  dictionary: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  graphs: z.record(z.string(), z.record(z.string(), z.array(z.nullable(z.string())))),
});
export type WordLists = z.output<typeof wordListsSchema>;

/** Shorter words occur in random passwords by chance. */
const WORD_LENGTH = 4;
/** The same for words with symbols in place of letters, as in `4lt0`. */
const DISGUISED_LENGTH = 5;
const REPEAT_LENGTH = 3;

/**
 * Returns a function that fetches the word lists on first use and resolves to the judge, which returns true for a
 * password that is hard to guess. Personal words are those that an attacker would try first, such as the person's
 * e-mail address. It throws an Error when the lists are missing or malformed; the next call retries. Callers do not
 * share a fetch: a request that ends early would leave the others waiting.
 */
export function strengthFrom(fetchLists: FetchLists): () => Promise<Judge> {
  let known: Judge | null = null;
  return async () => {
    known ??= await judgeBy(await readLists(fetchLists));
    return known;
  };
}

let source: FetchLists | null = null;
const loadOnServer = strengthFrom(() => {
  invariant(source, "Nobody provided the word lists.");
  return source();
});

/** Sets how the server fetches the word lists. */
export function provideWordLists(fetchLists: FetchLists): void {
  source = fetchLists;
}

/**
 * True for a password that is hard to guess: no word, no repeat, and not the lowest score. Runs on the server.
 *
 * @throws Error when the word lists cannot be fetched: every password must be checked
 */
export async function isStrongPassword(password: string, personal: readonly string[] = []): Promise<boolean> {
  return (await loadOnServer())(password, personal);
}

async function readLists(fetchLists: FetchLists): Promise<WordLists> {
  const response = await fetchLists();
  if (!response.ok) throw new Error(`The word lists of passwords did not arrive: status ${response.status}`);
  return wordListsSchema.parse(await response.json());
}

async function judgeBy({ dictionary, graphs }: WordLists): Promise<Judge> {
  const [{ ZxcvbnFactory }, { default: decompress }] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/dictionary-compression/decompress"),
  ]);
  const lists = Object.entries(dictionary).map(([name, list]) => [
    name,
    typeof list === "string" ? decompress(list) : list,
  ]);
  const estimator = new ZxcvbnFactory({
    dictionary: Object.fromEntries(lists),
    graphs,
    // Passwords made of symbols that replace letters would take a second each. Words in ordinary passwords are still
    // found.
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
