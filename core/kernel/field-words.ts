/** The name of a record's field in words: `default_branch` and `defaultBranch` both read "default branch". */
export function fieldWords(key: string): string {
  return key
    .replace(/_/g, " ")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
}
