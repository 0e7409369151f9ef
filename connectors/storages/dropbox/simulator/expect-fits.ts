import type { ValidateFunction } from "ajv";
import { contractsAreAbsent, readContract } from "#tests/conformance/contracts.ts";
import { openAjv } from "#tests/conformance/open-ajv.ts";
import type { AnsweredCall } from "./dropbox-simulator.ts";

type Route = { path: string; host: string };

/**
 * Checks a call and its response against Dropbox's published routes: the host, the argument, and the result or error.
 * @returns complaints; empty when everything matches or the contracts are absent
 */
export function misfitsOf({ host, path: route, arg, status, body }: AnsweredCall): string[] {
  // The simulator itself reports unknown calls.
  if (contractsAreAbsent() || status === 404) return [];
  const contract = openContract();
  const published = contract.hosts.get(route);
  if (published === undefined) return [`${route} is not published`];
  const complaints = published === host ? [] : [`${route} belongs to the host ${published}`];
  // A request that was rejected as malformed (400) need not match; all others must.
  if (status !== 400) complaints.push(...contract.check(route, "arg", arg));
  if (status === 200) complaints.push(...contract.check(route, "result", body));
  if (status === 409) {
    const { error, error_summary } = body as { error: unknown; error_summary: unknown };
    complaints.push(...contract.check(route, "error", error));
    if (typeof error_summary !== "string") complaints.push(`${route} has no error_summary`);
  }
  return complaints;
}

/** The official examples of a type, by name. @throws Error when the contracts are absent */
export function examplesOf(type: string): Record<string, unknown> {
  const examples = readContract("dropbox/examples.json") as Record<string, Record<string, unknown>>;
  return examples[type] as Record<string, unknown>;
}

type Contract = {
  /** The host of every published route. */
  hosts: ReadonlyMap<string, string>;
  check(route: string, part: "arg" | "result" | "error", value: unknown): string[];
};
let opened: Contract | null = null;

function openContract(): Contract {
  if (opened !== null) return opened;
  const document = readContract("dropbox/routes.derived.json") as { routes: Route[] };
  const ajv = openAjv({ validateFormats: false });
  ajv.addSchema({ $id: "dropbox", ...document }, "dropbox", false, false);
  opened = {
    hosts: new Map(document.routes.map(({ path, host }) => [path, host])),
    check(route, part, value) {
      const index = document.routes.findIndex(({ path }) => path === route);
      const validate = ajv.getSchema(`dropbox#/routes/${index}/${part}`) as ValidateFunction;
      if (validate(value)) return [];
      return (validate.errors ?? []).map(
        ({ instancePath, message }) => `${route} ${part}${instancePath} ${message}`,
      );
    },
  };
  return opened;
}
