/** True for the id of a platform: a folder name and the first part of its API paths. */
export function isPlatformId(id: string): boolean {
  return /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id);
}

/** A file of the template as the platform's own: its id and name wherever the template says its own. */
export function fileFromTemplate(text: string, { id, label }: { id: string; label: string }): string {
  return text
    .replaceAll('"_template"', JSON.stringify(id))
    .replaceAll('label: "Example"', `label: ${JSON.stringify(label)}`)
    .replaceAll("EXAMPLE_", `${id.replaceAll("-", "_").toUpperCase()}_`)
    .replaceAll(/\bexample-|-example-/g, (found) => found.replace("example", id));
}
