import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import type { AnsweredCall } from "./dropbox-simulator.ts";

type Route = { path: string; host: string; arg: object; result: object; error: object };

/** Folder of the published contract, or null when this machine has none. */
function contractDirectory(): string | null {
  const directory = path.resolve(process.env.CONTRACTS_DIR ?? "../shared/contracts", "dropbox");
  return existsSync(path.join(directory, "routes.derived.json")) ? directory : null;
}

/** Says plainly why contract tests are skipped; for `test.skipIf(contractIsAbsent())`. */
export function contractIsAbsent(): boolean {
  if (contractDirectory() !== null) return false;
  console.info("contract of Dropbox absent: set CONTRACTS_DIR to the folder of published contracts");
  return true;
}

/**
 * Says what is wrong with a call and its answer, held against Dropbox's published routes: the host, the argument, and
 * the result or the error.
 * @returns complaints; empty when everything fits, or when the contract is absent
 */
export function misfitsOf({ host, path: route, arg, status, body }: AnsweredCall): string[] {
  const contract = openContract();
  // The simulator itself notes calls that do not exist.
  if (contract === null || status === 404) return [];
  const known = contract.routes.find((each) => each.path === route);
  if (known === undefined) return [`${route} is not published`];
  const complaints = known.host === host ? [] : [`${route} belongs to the host ${known.host}`];
  // What was refused as unreadable need not fit; everything that was understood must.
  if (status !== 400) complaints.push(...contract.check(known.arg, arg, `${route} argument`));
  if (status === 200) complaints.push(...contract.check(known.result, body, `${route} result`));
  if (status === 409) {
    const { error, error_summary } = body as { error: unknown; error_summary: unknown };
    complaints.push(...contract.check(known.error, error, `${route} error`));
    if (typeof error_summary !== "string") complaints.push(`${route} has no error_summary`);
  }
  return complaints;
}

/** Every official example of a type, by its name. @throws when the contract is absent */
export function examplesOf(type: string): Record<string, unknown> {
  const directory = contractDirectory();
  if (directory === null) throw new Error("contract of Dropbox absent");
  const examples = JSON.parse(readFileSync(path.join(directory, "examples.json"), "utf8"));
  return examples[type] as Record<string, unknown>;
}

type Contract = { routes: Route[]; check(schema: object, value: unknown, what: string): string[] };
let opened: Contract | null = null;

function openContract(): Contract | null {
  const directory = contractDirectory();
  if (opened !== null || directory === null) return opened;
  const file = path.join(directory, "routes.derived.json");
  const document = JSON.parse(readFileSync(file, "utf8")) as { routes: Route[]; definitions: object };
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const compiled = new Map<object, ValidateFunction>();
  opened = {
    routes: document.routes,
    check(schema, value, what) {
      const known = compiled.get(schema) ?? ajv.compile({ definitions: document.definitions, ...schema });
      compiled.set(schema, known);
      if (known(value)) return [];
      return (known.errors ?? []).map(({ instancePath, message }) => `${what}${instancePath} ${message}`);
    },
  };
  return opened;
}
