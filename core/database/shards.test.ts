import { expect, test } from "vitest";
import { isShard, listShards, regionOf } from "./shards.ts";

test("the bindings name the shards, in the order of regions and numbers", () => {
  const names = ["LEDGER_DE_10", "LEDGER_DE_2", "LEDGER_AP", "LEDGER_DE", "LEDGER_US", "DB", "VAULT_DE"];
  const others = ["LEDGER_MIGRATIONS", "LEDGER_DE_1", "LEDGER_DE_02", "LEDGER_FR", "LEDGER_DE_2x"];
  const bindings = Object.fromEntries([...names, ...others].map((name) => [name, {}]));
  expect(listShards(bindings)).toEqual(["US", "DE", "DE_2", "DE_10", "AP"]);
});

test("a shard is in the region of its name", () => {
  expect(regionOf("DE")).toBe("DE");
  expect(regionOf("UK_12")).toBe("UK");
  for (const name of ["", "FR", "DE_1", "DE_0", "DE_", "de", 2, null]) expect(isShard(name)).toBe(false);
});
