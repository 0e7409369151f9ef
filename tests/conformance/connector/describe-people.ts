import { expect, test } from "vitest";
import type { PersonNews } from "#connectors/contract/people.ts";
import { type MemorySnapshot, takeSnapshot } from "../memory-snapshot.ts";
import type { Suite } from "./suite.ts";

/** Names of people: whom a version holds, and what goes with a closed account. */
export function describePeople(name: string, suite: Suite): void {
  const { people } = suite.connector;
  if (people === undefined) return;

  const listed = async (snapshot: MemorySnapshot) => {
    const all: string[] = [];
    for await (const externalId of people.listPeople(snapshot)) all.push(externalId);
    return all;
  };

  test(`${name}: a version lists everybody whose name it holds, each once, and nobody after all accounts were closed`, async () => {
    const { world, session, connector } = suite;
    expect(people.mostAtOnce).toBeGreaterThan(0);
    expect(people.ownerOf({})).toBeNull();
    const item = await suite.getItem(world().item);
    const first = await suite.backUp(item);
    const held = await listed(first);
    expect(held.length).toBeGreaterThan(0);
    expect(new Set(held).size).toBe(held.length);
    const peopleNews = held.map((externalId): PersonNews => ({ externalId, state: "closed" }));
    const order = { item, previous: first, cursor: null, peopleNews };
    const next = await takeSnapshot(connector.backUp(session(), order), first);
    expect(await listed(next)).toEqual([]);
    const titled = (snapshot: MemorySnapshot) =>
      [...snapshot.entries.values()].filter(({ info }) => info.kind !== "state").map(({ info }) => info.path);
    expect(titled(next).sort()).toEqual(titled(first).sort());
  });
}
