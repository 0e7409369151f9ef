import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { fileFromTemplate, isPlatformId } from "./platform-template.ts";

test("an id is a plain folder name", () => {
  expect(["asana", "google-drive", "s3"].every(isPlatformId)).toBe(true);
  expect(["", "_template", "Asana", "a/b", "..", "3s", "a--b", "a-"].some(isPlatformId)).toBe(false);
});

test("the template's descriptor becomes the platform's", () => {
  const file = path.resolve(import.meta.dirname, "../../connectors/platforms/_template/descriptor.ts");
  const text = fileFromTemplate(readFileSync(file, "utf8"), { id: "asana", label: 'The "A"' });
  expect(text).toContain('id: "asana"');
  expect(text).toContain('label: "The \\"A\\""');
  expect(text).not.toContain("_template");
});

test("variables and paths contain the platform's id", () => {
  const text = fileFromTemplate('EXAMPLE_API_URL "GET get-example-users" "POST example-get-zip"', {
    id: "google-drive",
    label: "Google Drive",
  });
  expect(text).toBe('GOOGLE_DRIVE_API_URL "GET get-google-drive-users" "POST google-drive-get-zip"');
});
