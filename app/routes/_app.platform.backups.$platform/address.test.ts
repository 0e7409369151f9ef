import { expect, test } from "vitest";
import { readAddress, withoutRun, withPage } from "./address.ts";

const read = (query: string) => readAddress(new URLSearchParams(query));

test("[P-027] only the part of the name before the double colon is shown", () => {
  expect(read("id=itm_1&name=repo%3A%3Aprivate").name).toBe("repo");
  expect(read("id=itm_1&name=repo").name).toBe("repo");
  expect(read("id=itm_1&name=a%3Ab").name).toBe("a:b");
  expect(read("id=itm_1").name).toBeNull();
});

test("the item is named by id; without it there is none", () => {
  expect(read("id=itm_1").itemId).toBe("itm_1");
  expect(read("name=x").itemId).toBeNull();
  expect(read("id=").itemId).toBeNull();
});

test("pages count from 1 in the address and from 0 within; nonsense is the first page", () => {
  expect(read("page=2").page).toBe(1);
  for (const page of ["", "page=0", "page=-3", "page=1", "page=x", "page=1.5", "page=1e99"]) {
    expect(read(page).page).toBe(0);
  }
  expect(withPage(new URLSearchParams("id=a&page=3"), 0).toString()).toBe("id=a");
  expect(withPage(new URLSearchParams("id=a"), 2).toString()).toBe("id=a&page=3");
});

test("run is read once and then taken out of the address", () => {
  expect(read("id=a&run=true").isRun).toBe(true);
  expect(read("id=a&run=1").isRun).toBe(false);
  expect(withoutRun(new URLSearchParams("id=a&run=true&name=x")).toString()).toBe("id=a&name=x");
});
