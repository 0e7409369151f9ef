/** JSON that cannot close the element or script that contains it, whatever text it holds. */
export function embeddableJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * A script that only passes a value to the offline page: a page opened from disk may load scripts but no other files.
 * The value is a JSON string, so it is never executed.
 */
export function dataScript(key: string, value: unknown): string {
  return `holdfast(${embeddableJson(key)},${embeddableJson(JSON.stringify(value))});\n`;
}

/** Escapes text for an element or attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
