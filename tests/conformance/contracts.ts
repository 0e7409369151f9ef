import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

/** A platform whose published contract we hold our simulators against. */
export type ContractSystem = "github";

const FILES: Record<ContractSystem, { specification: string; recorded: string }> = {
  github: { specification: "github/api.github.com.subset.json", recorded: "github/recorded.json" },
};

/** Folder of the contracts (`CONTRACTS_DIR`), or null when this machine has none. */
export function contractsDirectory(): string | null {
  const directory = path.resolve(process.env.CONTRACTS_DIR ?? "../shared/contracts");
  return existsSync(path.join(directory, FILES.github.specification)) ? directory : null;
}

/** Says plainly why contract tests are skipped; for `test.skipIf(contractsAreAbsent())`. */
export function contractsAreAbsent(): boolean {
  if (contractsDirectory() !== null) return false;
  console.info("contracts absent: set CONTRACTS_DIR to the folder of published contracts to run these tests");
  return true;
}

/** Reads one of a system's files. @throws when the contracts are absent */
export function readContract(system: ContractSystem, file: "specification" | "recorded"): unknown {
  const directory = contractsDirectory();
  if (directory === null) throw new Error("contracts absent: set CONTRACTS_DIR");
  return JSON.parse(readFileSync(path.join(directory, FILES[system][file]), "utf8"));
}
