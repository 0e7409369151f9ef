import { expect, test } from "vitest";
import { clearBulkOrder, readBulkOrder, storeBulkOrder } from "./bulk-storage.ts";

function memory(): Storage {
  const values = new Map<string, string>();
  return {
    get length() {
      return values.size;
    },
    clear: () => values.clear(),
    key: (at) => [...values.keys()][at] ?? null,
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}

const item = {
  id: "itm_1",
  idName: "crane",
  name: "crane_restored",
  ver: "",
  verDate: null,
  isGist: false,
  projectTypeKey: null,
  matchedColumns: [],
  intoName: "",
  isSame: false,
  tags: [{ label: "PBC", meaning: "Public" }],
  isOpen: true,
};
const order = {
  platform: "forge",
  connectionId: "con_1",
  items: [item],
  place: { id: "plc_1", name: "octo" },
  kind: "snippet",
};

test("[P-037] [P-038] the start of a restore is stored under four keys and read back unchanged", () => {
  const storage = memory();
  storeBulkOrder(storage, order);
  expect(storage.getItem("bulkPlatform")).toBe("forge");
  expect(JSON.parse(storage.getItem("selectedItem") ?? "")).toEqual([item]);
  expect(JSON.parse(storage.getItem("githubUser") ?? "")).toEqual({ id: "plc_1", name: "octo" });
  expect(storage.getItem("gitlabType")).toBe("snippet");
  expect(readBulkOrder(storage)).toEqual(order);
});

test("without platform or items, or with unreadable data, there is no order", () => {
  for (const break_ of [
    (storage: Storage) => storage.removeItem("bulkPlatform"),
    (storage: Storage) => storage.removeItem("selectedItem"),
    (storage: Storage) => storage.setItem("selectedItem", "[]"),
    (storage: Storage) => storage.setItem("selectedItem", "{"),
    (storage: Storage) => storage.setItem("selectedItem", '[{"id":""}]'),
  ]) {
    const storage = memory();
    storeBulkOrder(storage, order);
    break_(storage);
    expect(readBulkOrder(storage)).toBeNull();
  }
});

test("clearing removes all keys, and a list without a place clears another list's place", () => {
  const storage = memory();
  storeBulkOrder(storage, order);
  storeBulkOrder(storage, { ...order, place: null, connectionId: null });
  expect(storage.getItem("githubUser")).toBeNull();
  expect(readBulkOrder(storage)).toMatchObject({ place: null, connectionId: null });
  clearBulkOrder(storage);
  expect(storage.length).toBe(0);
});
