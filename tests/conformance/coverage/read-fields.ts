import { readFileSync } from "node:fs";

/** The committed names of fields: one line for each schema, `platform schema: name name …`. */
export const FIELDS_FILE = new URL("./fields.txt", import.meta.url);

/** The committed fields of a platform, by schema. */
export function committedFields(platform: string): Record<string, string[]> {
  const lines = readFileSync(FIELDS_FILE, "utf8").split("\n");
  return Object.fromEntries(
    lines
      .filter((line) => line.startsWith(`${platform} `))
      .map((line) => {
        const [schema = "", names = ""] = line.slice(platform.length + 1).split(": ");
        return [schema, names.split(" ")];
      }),
  );
}
