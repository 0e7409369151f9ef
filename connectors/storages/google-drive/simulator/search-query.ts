import type { DriveFile } from "./state.ts";

/** Tests whether one file matches a search; `isTrashed` includes the folders above it. */
export type SearchTest = (file: DriveFile, facts: { isTrashed: boolean; rootId: string }) => boolean;

const TERMS: readonly [RegExp, (match: RegExpExecArray) => SearchTest][] = [
  [
    /^'((?:[^'\\]|\\.)*)' in parents/,
    ([, id = ""]) =>
      (file, { rootId }) =>
        file.parentId === (id === "root" ? rootId : unescaped(id)),
  ],
  [
    /^(name|mimeType) (=|!=) '((?:[^'\\]|\\.)*)'/,
    ([, field, sign, value = ""]) =>
      (file) =>
        (field === "name"
          ? file.name.toLowerCase() === unescaped(value).toLowerCase()
          : file.mimeType === unescaped(value)) ===
        (sign === "="),
  ],
  [
    /^trashed ?= ?(true|false)/,
    ([, value]) =>
      (_, { isTrashed }) =>
        isTrashed === (value === "true"),
  ],
  [
    /^(appProperties|properties) has \{ ?key='((?:[^'\\]|\\.)*)' and value='((?:[^'\\]|\\.)*)' ?\}/,
    ([, where, key = "", value = ""]) =>
      (file) =>
        (where === "properties" ? file.properties : file.appProperties)[unescaped(key)] === unescaped(value),
  ],
];

/**
 * Parses the subset of Drive's search language that joins terms by `and`. Like Drive, compares names
 * case-insensitively. Returns null for a malformed query, which Drive answers with `invalid`.
 */
export function parseSearch(text: string): SearchTest | null {
  const tests: SearchTest[] = [];
  for (let rest = text.trim(); ; ) {
    const found = TERMS.map(([pattern, make]) => ({ match: pattern.exec(rest), make })).find(
      ({ match }) => match !== null,
    );
    if (found?.match === undefined || found.match === null) return null;
    tests.push(found.make(found.match));
    rest = rest.slice(found.match[0].length);
    if (rest === "") return (file, facts) => tests.every((test) => test(file, facts));
    const joint = /^ and /.exec(rest);
    if (joint === null) return null;
    rest = rest.slice(joint[0].length);
  }
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/g, "$1");
}
