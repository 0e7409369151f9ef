/** "1 version", "27 versions": number and noun with a no-break space. */
export function countText(count: number, one: string, many: string): string {
  return `${count.toLocaleString("en-US")}\u00a0${count === 1 ? one : many}`;
}

/** Capitalises the first letter of a word, for the start of a label. */
export function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
