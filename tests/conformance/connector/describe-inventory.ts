import { expect, test } from "vitest";
import { z } from "zod";
import type { PlatformItem, PlatformPlace } from "#connectors/contract/platform-connector.ts";
import type { RowFacts } from "#connectors/contract/row-facts.ts";
import { failureOf, hasOwnPlace, type Suite } from "./suite.ts";

/** Places, lists and single items. */
export function describeInventory(name: string, suite: Suite): void {
  const { connector, world, session } = suite;
  type Query = { place?: PlatformPlace | null; name?: string | null; page?: number; perPage: number };
  const list = (query: Query) =>
    connector.listItems(session(), { kind: world().kind, place: null, name: null, page: 0, ...query });
  const walk = async (query: Query) => {
    const items: PlatformItem[] = [];
    for (let page = 0; page < 500; page++) {
      const answer = await list({ ...query, page });
      expect(answer.items.length).toBeLessThanOrEqual(query.perPage);
      items.push(...answer.items);
      if (!answer.hasMore) return items;
    }
    throw new Error("The list does not end.");
  };
  const ids = (items: readonly PlatformItem[]) => items.map(({ externalId }) => externalId);

  test(`${name}: places start with the own one and are paged without gaps or duplicates`, async () => {
    const whole = await connector.listPlaces(session(), { page: 0, perPage: 50 });
    expect(whole.hasMore).toBe(false);
    if (world().places === "none") {
      const { places, restoreToPlace } = connector.descriptor.supports;
      return expect([whole.items, places, restoreToPlace]).toEqual([[], false, false]);
    }
    if (hasOwnPlace(world())) {
      expect(whole.items[0]).toMatchObject({ name: world().accountName, isOwn: true });
    }
    expect(whole.items.filter(({ isOwn }) => isOwn)).toHaveLength(hasOwnPlace(world()) ? 1 : 0);
    expect(whole.items.filter(({ type }) => type === "")).toEqual([]);
    const small: PlatformPlace[] = [];
    for (let page = 0, hasMore = true; hasMore; page++) {
      const answer = await connector.listPlaces(session(), { page, perPage: 1 });
      small.push(...answer.items);
      hasMore = answer.hasMore;
    }
    expect(small).toEqual(whole.items);
  });

  test(`${name}: lists are paged without gaps or duplicates, in every place`, async () => {
    const { items: places } = await connector.listPlaces(session(), { page: 0, perPage: 50 });
    for (const place of connector.descriptor.supports.places ? places : [null]) {
      const whole = await walk({ place, perPage: 100 });
      const small = await walk({ place, perPage: 2 });
      expect(ids(small)).toEqual(ids(whole));
      expect(new Set(ids(small)).size).toBe(small.length);
      const beyond = await list({ place, page: whole.length + 3, perPage: 2 });
      expect(beyond).toMatchObject({ items: [], hasMore: false });
    }
    const own = hasOwnPlace(world()) ? (places[0] ?? null) : null;
    const { length } = await walk({ place: own, perPage: 100 });
    if (world().single) expect(length).toBe(1);
    else expect(length).toBeGreaterThan(2);
  });

  test(`${name}: an item is found by a part of its name, in any case and page by page`, async () => {
    const item = await suite.getItem(world().item);
    const part = item.name.slice(1).toUpperCase();
    const found = await list({ name: part, perPage: 10 });
    expect(ids(found.items)).toContain(item.externalId);
    expect(ids(await walk({ name: part, perPage: 1 }))).toEqual(
      ids(await walk({ name: part, perPage: 100 })),
    );
    // The filter leaves items out only by name.
    const all = await walk({ perPage: 100 });
    const named = all.filter((one) => one.name.toUpperCase().includes(part));
    expect(ids(await walk({ name: part, perPage: 100 }))).toEqual(expect.arrayContaining(ids(named)));
    const none = await list({ name: "no item has this name ¿", perPage: 10 });
    expect(none).toMatchObject({ items: [], hasMore: false });
  });

  test(`${name}: an item read by id equals the listed one`, async () => {
    const listed = (await walk({ perPage: 100 })).find(
      ({ externalId }) => externalId === world().item.externalId,
    );
    const read = await suite.getItem(world().item);
    const { details: _details, sizeHintBytes: _size, ...facts } = read;
    expect(listed).toMatchObject(facts);
    expect(read).toMatchObject({ kind: world().kind, externalId: world().item.externalId });
    const byId = await suite.getItem({ ...world().item, fullName: "somewhere/else" });
    expect(byId.fullName).toBe(read.fullName);
    const page = new URL(connector.webUrl(world().config, read));
    expect(page.protocol).toMatch(/^https?:$/);
  });

  test(`${name}: marks and row facts accept any details of an earlier release`, async () => {
    const { kind } = world();
    const { details } = await suite.getItem(world().item);
    const places = (await connector.listPlaces(session(), { page: 0, perPage: 1 })).items;
    const { account, item, place } = connector.rowFacts ?? {};
    const told = (facts: RowFacts<never> | undefined, subject: object) => {
      if (facts !== undefined) z.strictObject(facts.schema.shape).parse(facts.of(subject as never));
    };
    if (connector.marksOf) expect(connector.marksOf({ kind, details }).tags).not.toEqual([]);
    for (const one of [details, null, {}, [], "text", 7, { record: null, nodeId: 7, visibility: "odd" }]) {
      for (const { label, meaning } of connector.marksOf?.({ kind, details: one }).tags ?? [])
        expect([label, meaning]).not.toContain("");
      told(item, { kind, details: one });
      told(account, {
        id: "con_1",
        name: "nora",
        type: "",
        details: one,
        grantName: "nora",
        authMethods: [],
        isAppMissing: true,
      });
      told(place, { type: "", details: one });
    }
    for (const one of places) told(place, one);
  });

  test(`${name}: an unknown kind is refused permanently`, async () => {
    const order = { kind: "teapot", place: null, name: null, page: 0, perPage: 10 };
    expect((await failureOf(connector.listItems(session(), order))).kind).toBe("unsupported");
    const reference = { kind: "teapot", ...world().item };
    expect((await failureOf(connector.getItem(session(), reference))).kind).toBe("unsupported");
  });

  test(`${name}: a deleted item is gone, for reads and backups`, async () => {
    if (world().single) return;
    const item = await suite.getItem(world().doomed);
    await world().deleteItem(world().doomed);
    expect((await failureOf(suite.getItem(world().doomed))).kind).toBe("gone");
    expect((await failureOf(suite.backUp(item))).kind).toBe("gone");
    expect(ids(await walk({ perPage: 100 }))).not.toContain(item.externalId);
  });
}
