import { rmSync } from "node:fs";
import { join } from "node:path";
import { openStateFolder, type StateFolder } from "./state-folder.ts";
import type { AnsweredExchange } from "./watch-answers.ts";

/** Options of a simulated platform. The defaults suit tests. */
export type SeededSimulatorOptions<Settings> = {
  /** 0 = any free port. */
  port?: number;
  /** Keeps state and stored bytes across restarts. Without it, they are in a temporary folder. */
  directory?: string;
  /** What the first start creates: `people` = people and their groups; `demo` = content as well. */
  seed?: "demo" | "people";
  settings?: Partial<Settings>;
  /** Called with every answer of the API. */
  onAnswer?: (exchange: AnsweredExchange) => void;
};

/** A state that its first start fills. Nothing is saved before it is whole, so that no later start finds a part. */
export type SeededState<State> = StateFolder<State> & {
  /** On the first start: empties the folders, fills the state, and saves it. */
  seed(folders: readonly string[], fill: () => void | Promise<void>): Promise<void>;
};

/** Opens the state of a simulated platform, in the given folder or in a temporary one. */
export function openSeededState<State>(
  directory: string | undefined,
  empty: () => State,
): SeededState<State> {
  let isWhole = true;
  const file = openStateFolder(directory, () => {
    isWhole = false;
    return empty();
  });
  return {
    ...file,
    save: () => {
      if (isWhole) file.save();
    },
    async seed(folders, fill) {
      if (isWhole) return;
      for (const folder of folders) rmSync(join(file.directory, folder), { recursive: true, force: true });
      await fill();
      isWhole = true;
      file.save();
      file.flush();
    },
  };
}
