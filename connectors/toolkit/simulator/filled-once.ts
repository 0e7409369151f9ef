import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/**
 * Returns a function that fills empty bare repositories. It runs git only for the first one and copies that one
 * later, because a world for every test would cost some twenty processes each.
 */
export function filledOnce(fill: (folder: string) => Promise<void>): (folder: string) => Promise<void> {
  let template: Promise<string> | undefined;
  const make = async (folder: string) => {
    const copy = mkdtempSync(path.join(tmpdir(), "holdfast-template-"));
    process.once("exit", () => rmSync(copy, { recursive: true, force: true }));
    await fill(folder);
    cpSync(folder, copy, { recursive: true });
    return copy;
  };
  return async (folder) => {
    if (template === undefined) {
      template = make(folder);
      await template;
    } else cpSync(await template, folder, { recursive: true });
  };
}
