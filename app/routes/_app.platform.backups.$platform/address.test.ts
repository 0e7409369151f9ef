import { expect, test } from "vitest";
import { historyPath } from "#app/routes/_app.platform.dashboard.$platform/history-path.ts";
import { itemOf } from "#tests/harness/view-fixtures.ts";
import { readAddress, withoutRun, withPage } from "./address.ts";

const read = (query: string) => readAddress(new URLSearchParams(query));

test("[P-027] only the part of the name before the double colon is shown", () => {
  expect(read("id=itm_1&name=repo%3A%3Aprivate").name).toBe("repo");
  expect(read("id=itm_1&name=repo").name).toBe("repo");
  expect(read("id=itm_1&name=a%3Ab").name).toBe("a:b");
  expect(read("id=itm_1").name).toBeNull();
});

test("the item is given by id, or missing", () => {
  expect(read("id=itm_1").itemId).toBe("itm_1");
  expect(read("name=x").itemId).toBeNull();
  expect(read("id=").itemId).toBeNull();
});

test("pages count from 1 in the URL and from 0 internally; an invalid one is the first page", () => {
  expect(read("page=2").page).toBe(1);
  for (const page of ["", "page=0", "page=-3", "page=1", "page=x", "page=1.5", "page=1e99"]) {
    expect(read(page).page).toBe(0);
  }
  expect(withPage(new URLSearchParams("id=a&page=3"), 0).toString()).toBe("id=a");
  expect(withPage(new URLSearchParams("id=a"), 2).toString()).toBe("id=a&page=3");
});

test("run is read once and then removed from the URL", () => {
  expect(read("id=a&run=true").isRun).toBe(true);
  expect(read("id=a&run=1").isRun).toBe(false);
  expect(withoutRun(new URLSearchParams("id=a&run=true&name=x")).toString()).toBe("id=a&name=x");
});

test("[P-023] [P-025] user, status and type=sub are read, and a link has the values of its item", () => {
  expect(read("id=a&user=meridian&status=deleted&type=sub")).toMatchObject({
    user: "meridian",
    status: "deleted",
    isSub: true,
  });
  expect(read("id=a")).toMatchObject({ user: null, status: null, isSub: false });
  const item = itemOf({ id: "itm_9", name: "notes", status: "deleted" });
  const linked = readAddress(new URL(historyPath(item, true, "meridian"), "https://x").searchParams);
  expect(linked).toMatchObject({ itemId: "itm_9", user: "meridian", status: "deleted", isSub: true });
  const living = readAddress(new URL(historyPath(itemOf(), false), "https://x").searchParams);
  expect(living).toMatchObject({ user: null, status: null, isSub: false });
});
