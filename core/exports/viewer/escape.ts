/** JSON that cannot end the element or the script it stands in, whatever is written in it. */
export function embeddableJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * A script that hands a value to the offline page and does nothing else: a page from the disk may load scripts and no other
 * files. The value is a text of JSON, so no part of it is ever read as a program.
 */
export function dataScript(key: string, value: unknown): string {
  return `holdfast(${embeddableJson(key)},${embeddableJson(JSON.stringify(value))});\n`;
}

/** Text of an element or attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
