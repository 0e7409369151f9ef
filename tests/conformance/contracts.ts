import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

/** A platform whose requests and responses are checked against its published operations. */
export type ContractSystem = "github" | "jira";

/** Every published or recorded file that simulators and clients are checked against. The README names their sources. */
export const CONTRACT_FILES = [
  "atlassian/forge-invocation-token.schema.json",
  "dropbox/examples.json",
  "dropbox/routes.derived.json",
  "git/smart-http.recorded.json",
  "github/api.github.com.subset.json",
  "github/recorded.json",
  "gitlab/gitbeaker-types.schema.json",
  "gitlab/payloads.json",
  "google-drive/drive-v3.openapi.json",
  "jira/swagger-v3.v3.json",
  "notion/openapi.derived.json",
  "notion/recorded.json",
  "s3/s3-model.subset.json",
  "stripe/fixtures3.json",
  "stripe/openapi.derived.json",
  "trello/observed.schema.json",
  "trello/openapi.json",
  "trello/recorded.json",
] as const;

export type ContractFile = (typeof CONTRACT_FILES)[number];

/** Variables for the folder of the contracts, and for whether a run requires them. */
type Settings = { CONTRACTS_DIR?: string | undefined; CONTRACTS?: string | undefined };

/** The folder of the contracts. */
export const folderOf = ({ CONTRACTS_DIR }: Settings) => path.resolve(CONTRACTS_DIR ?? "../shared/contracts");

/**
 * The notice at the end of a run without contracts: simulators were not checked against them, and how to get them. Null
 * when all are present.
 */
export function contractsNotice(settings: Settings = process.env): string | null {
  const folder = folderOf(settings);
  const missing = CONTRACT_FILES.filter((file) => !existsSync(path.join(folder, file)));
  if (missing.length === 0) return null;
  const what =
    missing.length === CONTRACT_FILES.length ? "has none of them" : `has no ${missing.join(", no ")}`;
  return `Simulators were not held against the published contracts: ${folder} ${what}. Set CONTRACTS_DIR to a folder that has them; tests/conformance/README.md says where each comes from.`;
}

/** Whether a run without contracts must fail (`CONTRACTS=required`). */
export function contractsAreRequired(settings: Settings = process.env): boolean {
  return settings.CONTRACTS === "required";
}

let isAbsent: boolean | null = null;

/**
 * Whether the contracts are missing. For `test.skipIf(contractsAreAbsent())`, and for simulators, which then skip their
 * checks. Prints the notice once per process. One missing file counts as all, so that a partial check is not mistaken
 * for a full one.
 * @throws Error when they are missing and required
 */
export function contractsAreAbsent(): boolean {
  if (isAbsent !== null) return isAbsent;
  const notice = contractsNotice();
  if (notice !== null && contractsAreRequired()) throw new Error(notice);
  if (notice !== null) console.info(notice);
  isAbsent = notice !== null;
  return isAbsent;
}

const read = new Map<ContractFile, unknown>();

/** Reads a contract, once per process. @throws Error when it is missing */
export function readContract(file: ContractFile): unknown {
  if (!read.has(file))
    read.set(file, JSON.parse(readFileSync(path.join(folderOf(process.env), file), "utf8")));
  return read.get(file);
}
