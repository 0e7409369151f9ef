import { execFileSync } from "node:child_process";

/** Used without git, e.g. in an unpacked archive. */
const FIXED_SEED = "5eed";

/** The settings that `sample.ts` reads: the seed of this commit, unless the environment sets one. */
export function sweepSettings(): { HOLDFAST_SWEEP_SEED: string; HOLDFAST_DEEP: string } {
  return {
    HOLDFAST_SWEEP_SEED: process.env.HOLDFAST_SWEEP_SEED ?? seedOfCommit(),
    HOLDFAST_DEEP: process.env.HOLDFAST_DEEP ?? "",
  };
}

function seedOfCommit(): string {
  try {
    return execFileSync("git", ["rev-parse", "HEAD"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).slice(0, 7);
  } catch {
    return FIXED_SEED;
  }
}
