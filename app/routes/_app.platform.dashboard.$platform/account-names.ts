import { visibleText } from "#app/format/visible-text.ts";

/** The query parameter with the names of the accounts that a consent has opened, as a JSON array (spec P-010). */
export const NAMES_QUERY = "responseWorkspacesNamesArray";

/** More than a person can choose from; the address is anybody's. */
const MOST_NAMES = 100;
const LONGEST_NAME = 100;

/** The names in the address, each once; empty when there is none or it is no list of texts. */
export function accountNames(search: URLSearchParams): string[] {
  const list = parsed(search.get(NAMES_QUERY));
  if (!Array.isArray(list)) return [];
  const names = list
    .filter((name) => typeof name === "string")
    .map((name) => visibleText(name.slice(0, LONGEST_NAME)).trim())
    .filter((name) => name !== "");
  return [...new Set(names)].slice(0, MOST_NAMES);
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}
