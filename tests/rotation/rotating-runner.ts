import { inject, TestRunner } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** The root folder, and keys of the tests below it whose turn it is not. */
    waiting: { root: string; keys: string[] };
  }
}

/** Vitest's runner, which leaves out the tests whose turn it is not. */
export default class RotatingRunner extends TestRunner {
  readonly #root = inject("waiting").root;
  readonly #waiting = new Set(inject("waiting").keys);

  override async onBeforeRunTask(test: Parameters<TestRunner["onBeforeRunTask"]>[0]): Promise<void> {
    const file = test.file.filepath.slice(this.#root.length + 1);
    if (this.#waiting.has(`${file}\t${test.name}`)) test.mode = "skip";
    await super.onBeforeRunTask(test);
  }
}
