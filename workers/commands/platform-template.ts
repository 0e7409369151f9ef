/** True for a valid platform id, which is a folder name and the first part of the platform's API paths. */
export function isPlatformId(id: string): boolean {
  return /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id);
}

/** Replaces the template's id and name in a file with the platform's. */
export function fileFromTemplate(text: string, { id, label }: { id: string; label: string }): string {
  return text
    .replaceAll('"_template"', JSON.stringify(id))
    .replaceAll('label: "Example"', `label: ${JSON.stringify(label)}`)
    .replaceAll("EXAMPLE_", `${id.replaceAll("-", "_").toUpperCase()}_`)
    .replaceAll(/\bexample-|-example-/g, (found) => found.replace("example", id));
}
