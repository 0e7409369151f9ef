import { REGIONS, type Region } from "#core/kernel/platform-id.ts";
import type { Member } from "#core/organisations/index.ts";
import type { Uses } from "#core/services.ts";
import { listAllConnections } from "../list-connections.ts";
import { listChosenRegions } from "./chosen-region.store.ts";

/** The API's names of our regions (spec A-464, P-170, P-409). The first region is the default. */
export const STORAGE_REGION_NAMES: Readonly<Record<Region, string>> = {
  US: "us-west-2",
  DE: "eu-central-1",
  UK: "eu-west-2",
  AP: "ap-southeast-2",
};

/** Returns the region for a name on the wire, ours or the API's. Null = unknown. */
export function regionNamed(name: string): Region | null {
  return REGIONS.find((region) => region === name || STORAGE_REGION_NAMES[region] === name) ?? null;
}

/**
 * Returns the region of each platform's versions: the account's region, otherwise the chosen one, otherwise the
 * default.
 */
export async function listStorageRegions(
  s: Uses<"memory" | "control" | "connectors">,
  member: Member,
): Promise<ReadonlyMap<string, string>> {
  const [connections, chosen] = await Promise.all([
    listAllConnections(s, member),
    listChosenRegions(s.control, member.organisationId),
  ]);
  return new Map(
    [...s.connectors.keys()].map((platform) => {
      const connected = connections.find((each) => each.platform === platform)?.region;
      return [platform, STORAGE_REGION_NAMES[connected ?? chosen.get(platform) ?? REGIONS[0]]];
    }),
  );
}
