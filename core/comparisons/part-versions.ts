import { openForReading, readable, viewsOf } from "#core/browsing/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Member } from "#core/organisations/index.ts";
import type { AccessServices, VaultServices } from "#core/services.ts";
import { diffManifests, type ManifestReader, openManifest } from "#core/vault/index.ts";
import { listNearbyVersions, type NearbyVersion, openVault } from "#core/versions/index.ts";
import { MOST_NEARBY_READS, NEARBY, NEARBY_AT_ONCE } from "./limits.ts";
import { changeOfPart, type PartChange, statesBack, statesOnward } from "./part-states.ts";
import { openParts } from "./parts-view.ts";
import type { PartVersion, PartVersions } from "./views.ts";

/**
 * In which versions around the open one a card, thread, page or row changed. Compares each version with the one before
 * it and reads only what differs between them. Equal versions share a manifest and cost nothing.
 *
 * @throws AppError `err.not.found`, `err.role.forbidden`, `err.plan.required`, `err.version.unreadable`
 */
export async function listPartVersions(
  s: AccessServices & VaultServices,
  member: Member,
  order: { itemId: string; snapshotId: string; viewId: string; partId: string },
): Promise<PartVersions> {
  const { item, snapshot, region, view, connector } = await openForReading(s, member, order);
  const { organisationId, id: itemId } = item;
  return await readable(async () => {
    const shown = (await viewsOf({ view, connector })).find(({ id }) => id === order.viewId);
    if (!shown || shown.kind === "files") throw new AppError("err.not.found");
    const { part, roleOf } = await openParts(shown);
    if ((await part(order.partId)) === null) throw new AppError("err.not.found");

    let reads = 0;
    const countRequest = () => {
      reads += 1;
    };
    const meter = { countRequest, countQueries: () => undefined };
    const vault = await openVault(s, { organisationId, region }, meter);
    const opened = new Map([[view.manifest.id, Promise.resolve(view.entries)]]);
    const open = ({ manifest: ref }: NearbyVersion): Promise<ManifestReader> => {
      const entries = opened.get(ref.id) ?? openManifest(vault, { scope: { organisationId, itemId }, ref });
      opened.set(ref.id, entries);
      return entries;
    };
    const changeIn = async (young: NearbyVersion, old: NearbyVersion): Promise<PartChange> => {
      if (young.manifest.id === old.manifest.id) return "none";
      const [after, before] = await Promise.all([open(young), open(old)]);
      return await changeOfPart(diffManifests(before, after), order.partId, roleOf);
    };
    /** What happened in each version since the next one of the list, from `steps[0]` on until the reads are used up. */
    const changesAlong = async (steps: readonly [young: NearbyVersion, old: NearbyVersion][]) => {
      const changes: PartChange[] = [];
      for (let at = 0; at < steps.length && reads < MOST_NEARBY_READS; at += NEARBY_AT_ONCE) {
        const group = steps.slice(at, at + NEARBY_AT_ONCE);
        changes.push(...(await Promise.all(group.map(([young, old]) => changeIn(young, old)))));
      }
      return changes;
    };

    const { older, newer } = await listNearbyVersions(s.ledger(region, organisationId), organisationId, {
      ...{ itemId, takenAt: snapshot.takenAt },
      most: { older: NEARBY.older + 1, newer: NEARBY.newer },
    });
    const back: (PartChange | null)[] = await changesAlong(
      older.slice(1).map((old, at) => [older[at]!, old]),
    );
    const onward = await changesAlong(newer.map((young, at) => [young, newer[at - 1] ?? older[0]!]));
    const isWhole = back.length === older.length - 1 && older.length <= NEARBY.older;
    if (isWhole) back.push(null);
    return {
      versions: [
        ...withStates(newer, statesOnward(onward)).reverse(),
        ...withStates(older, statesBack(back)),
      ],
      isCut: !isWhole,
    };
  });
}

/** The first versions of the list with their states. */
function withStates(versions: readonly NearbyVersion[], states: PartVersion["state"][]): PartVersion[] {
  return states.map((state, at) => {
    const { snapshotId, takenAt } = versions[at]!;
    return { snapshotId, takenAt, state };
  });
}
