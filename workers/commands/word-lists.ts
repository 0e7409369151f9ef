import compress from "@zxcvbn-ts/dictionary-compression/compress";
import { adjacencyGraphs, dictionary as common } from "@zxcvbn-ts/language-common";
import { dictionary as english } from "@zxcvbn-ts/language-en";
import type { Plugin } from "vite";
import { WORD_LISTS_PATH, type WordLists } from "#core/accounts/password-strength.schema.ts";

/** The word lists for judging passwords, as browser and Worker fetch them. */
export function makeWordLists(): string {
  const lists = Object.entries({ ...common, ...english }).map(([name, list]) => [name, compress(list)]);
  const file: WordLists = { dictionary: Object.fromEntries(lists), graphs: adjacencyGraphs };
  return JSON.stringify(file);
}

/** Adds the word lists to the assets of the screens. */
export const wordLists: Plugin = {
  name: "word-lists",
  generateBundle() {
    this.emitFile({ type: "asset", fileName: WORD_LISTS_PATH.slice(1), source: makeWordLists() });
  },
};
