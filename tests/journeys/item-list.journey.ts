import { randomUUID } from "node:crypto";
import { expect, test } from "./fixtures.ts";
import { hold } from "./hold.ts";
import { atGithub, createRepository, fault } from "./outside.ts";
import { JOB_MS, sell } from "./stack.ts";
import { addRepositories, connect, GITHUB_LIST, itemsOf, placeOf, rowOf, waitForBackup } from "./steps.ts";

const LIST = "/api/github/get-user-github-items";
const SWITCHES = "update-daily-backup-items-statuses";
const MINUTE = 60_000;

test("[P-043] a long list is paged and searched, and an item is deleted", async ({ page, person }) => {
  const series = `page-${randomUUID().slice(0, 4)}`;
  const names = Array.from({ length: 11 }, (_, index) => `${series}-${index + 10}`);
  for (const name of names) {
    await createRepository(`nora-lindqvist/${name}`, {
      commits: 1,
      description: `About ${name}`,
      visibility: name.endsWith("-10") ? "public" : "private",
    });
  }
  await connect(page);
  await sell(person, { plan: "pro", quantity: 30 });
  // Added in reverse, so that only the names can explain the order of the list.
  await addRepositories(person, "nora-lindqvist", names.toReversed());
  for (const name of names) await waitForBackup(person, name);

  await page.clock.install();
  await page.goto(GITHUB_LIST);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("GitHub");
  await test.step("[P-050] Add repositories opens its dialog", async () => {
    await page.getByRole("button", { name: "Add repositories", exact: true }).click();
    await expect(page.getByRole("dialog", { name: "Add repositories", exact: true })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });
  const rows = page.getByRole("row").filter({ has: page.getByRole("switch") });
  await test.step("[P-066] [P-067] [P-068] ten rows are shown, sorted by name", async () => {
    await expect(rows).toHaveCount(10);
    await expect(rows.getByRole("link", { name: new RegExp(`^${series}`) })).toHaveText(names.slice(0, 10));
    await expect(page.getByText("Showing 1 to 10 of 11", { exact: true })).toBeVisible();
  });
  await test.step("[P-056] [P-057] [P-058] [P-059] [P-060] [P-061] [P-147] [P-148] a row has the values of its columns", async () => {
    await expect(page.getByRole("columnheader")).toHaveText([
      "",
      "Daily backup",
      "Name",
      "Last backup",
      "Backup size",
      "Status",
      "Actions",
    ]);
    const cells = rowOf(page, names[0] ?? "").getByRole("cell");
    await expect(cells.nth(0).getByRole("checkbox")).toBeEnabled();
    await expect(cells.nth(1).getByRole("switch")).toBeChecked();
    await expect(cells.nth(2)).toContainText(`About ${names[0]}`);
    await expect(cells.nth(2).getByText("PBC", { exact: true })).toBeVisible();
    await expect(rowOf(page, names[1] ?? "").getByText("PVT", { exact: true })).toBeVisible();
    await expect(cells.nth(3)).toContainText(/just now|ago/);
    await expect(cells.nth(4)).toHaveText(/\d\s(B|KB)$/);
    await expect(cells.nth(5)).toContainText("Protected");
  });

  await test.step("[P-065] the next page is loaded from the server", async () => {
    const next = page.waitForRequest((request) => request.url().includes(LIST));
    let answer = () => {};
    const isHeld = new Promise<void>((go) => {
      answer = go;
    });
    await page.route(`**${LIST}?**`, async (route) => {
      await isHeld;
      await route.continue();
    });
    await page.getByRole("button", { name: "Next" }).click();
    const { searchParams } = new URL((await next).url());
    expect([searchParams.get("page"), searchParams.get("perPage")]).toEqual(["1", "10"]);
    await test.step("[P-174] meanwhile the list says that it loads", async () => {
      const table = page.getByRole("table");
      await expect(table).toHaveAttribute("aria-busy", "true");
      answer();
      await expect(table).toHaveAttribute("aria-busy", "false");
    });
    await page.unroute(`**${LIST}?**`);
    await expect(page.getByText("Showing 11 to 11 of 11", { exact: true })).toBeVisible();
    await expect(rows).toHaveCount(1);
  });
  const asked: URL[] = [];
  page.on("request", (request) => {
    if (request.url().includes(LIST)) asked.push(new URL(request.url()));
  });
  const search = page.getByRole("textbox", { name: "Search repositories" });
  await test.step("[P-044] [P-045] [P-083] [P-324] the search sends one request, a second after the last key, for the first page", async () => {
    await page.clock.pauseAt(Date.now() + MINUTE);
    for (const letter of `${series}-1`) {
      await search.press(letter);
      await page.clock.runFor(100);
    }
    await page.clock.runFor(890);
    expect(asked).toEqual([]);
    await page.clock.runFor(20);
    await page.clock.resume();
    await expect.poll(() => asked.length).toBe(1);
    const query = asked[0]?.searchParams;
    expect(query?.get("page")).toBe("0");
    expect(query?.get("perPage")).toBe("10");
    expect(query?.get("name")).toBe(`${series}-1`);
    expect(query?.get("placeId")).toBe(await placeOf(person, "nora-lindqvist"));
    await expect(page.getByText("Showing 1 to 10 of 10")).toBeVisible();
    await page.clock.runFor(5_000);
    expect(asked).toHaveLength(1);
  });

  await page.getByRole("button", { name: "Clear search" }).click();
  await expect(search).toBeFocused();
  await expect(page.getByText("Showing 1 to 10 of 11")).toBeVisible();
  await page.getByRole("button", { name: "Next" }).click();
  await test.step("[P-062] [P-225] [P-280] the last row of a page is deleted by its name, and the previous page is shown", async () => {
    const last = names.at(-1) ?? "";
    await page.getByRole("button", { name: `Delete ${last}` }).click();
    const dialog = page.getByRole("dialog", { name: `Delete ${last}` });
    const remove = dialog.getByRole("button", { name: "Delete" });
    await dialog.getByRole("textbox").fill(last.toUpperCase());
    await expect(remove).toHaveAttribute("aria-disabled", "true");
    await dialog.getByRole("textbox").fill(last);
    await remove.click();
    await expect(page.getByText("Showing 1 to 10 of 10")).toBeVisible();
    await expect(rows).toHaveCount(10);
    expect(new URL(page.url()).searchParams.get("page")).toBeNull();
    expect((await itemsOf(person)).map(({ name }) => name)).toEqual(names.slice(0, 10));
  });
});

test("rows are selected, turned off and on, and deleted together", async ({ page, person }) => {
  const series = `pick-${randomUUID().slice(0, 4)}`;
  const names = ["a", "b", "c"].map((letter) => `${series}-${letter}`);
  const stuck = `${series}-stuck`;
  for (const name of [...names, stuck]) await createRepository(`nora-lindqvist/${name}`);
  await connect(page);
  const places = await person.call<{ id: string }[]>("GET", "github/get-available-github-places");
  await person.call("POST", "github/add-places-for-user", { placesIds: places.map(({ id }) => ({ id })) });
  await addRepositories(person, "nora-lindqvist", names);
  for (const name of names) await waitForBackup(person, name);
  await fault({
    match: { path: `/${stuck}(\\.git)?/git-upload-pack` },
    times: 20,
    action: { kind: "answer", status: 503 },
  });
  await addRepositories(person, "nora-lindqvist", [stuck]);
  await page.goto(GITHUB_LIST);

  await test.step("[P-179] [P-180] [P-181] before its first backup a repository offers no actions", async () => {
    const stuckRow = rowOf(page, stuck);
    await expect(stuckRow.getByRole("checkbox")).toBeDisabled();
    await expect(stuckRow.getByRole("switch")).toBeDisabled();
    await expect(page.getByRole("button", { name: `Restore ${stuck}` })).toHaveAttribute(
      "aria-disabled",
      "true",
    );
  });
  const bar = page.getByRole("toolbar", { name: "Selection" });
  await test.step("[P-069] [P-070] [P-224] a ticked row shows the bar, and Select all selects every selectable row", async () => {
    const topOf = async () => (await rowOf(page, names[1] ?? "").boundingBox())?.y;
    const top = await topOf();
    await rowOf(page, names[0] ?? "")
      .getByRole("checkbox")
      .check();
    await expect(bar.getByText("1 selected")).toBeVisible();
    await expect(page.getByRole("button", { name: "Add repositories" })).toHaveCount(0);
    await expect(page.getByRole("group", { name: "Filter" })).toHaveCount(0);
    // The rows must not move, so that a person who ticks several does not tick a wrong one.
    expect(await topOf()).toBe(top);
    await expect(bar.getByRole("button", { name: "Restore" })).not.toHaveAttribute("aria-disabled", "true");
    await bar.getByRole("button", { name: "Select all (4)" }).click();
    await expect(bar.getByText("3 selected")).toBeVisible();
    await expect(rowOf(page, stuck).getByRole("checkbox")).not.toBeChecked();
    await expect(bar.getByRole("button", { name: "Restore" })).not.toHaveAttribute("aria-disabled", "true");
  });
  const daily = async () => (await itemsOf(person)).filter((item) => item.isDaily).map(({ name }) => name);
  await test.step("[P-071] [P-072] the selected ones are turned off and on", async () => {
    await bar.getByRole("button", { name: "Deactivate", exact: true }).click();
    await expect(page.getByText("Daily backup is off for 3 repositories")).toBeVisible();
    for (const name of names) await expect(rowOf(page, name).getByRole("switch")).not.toBeChecked();
    await expect.poll(daily).toEqual([stuck]);
    await bar.getByRole("button", { name: "Activate", exact: true }).click();
    await expect(page.getByText("Daily backup is on for 3 repositories")).toBeVisible();
    for (const name of names) await expect(rowOf(page, name).getByRole("switch")).toBeChecked();
    await expect.poll(daily).toEqual([...names, stuck]);
  });
  await test.step("rows that were read before a change do not undo it", async () => {
    const [first, second] = names.slice(0, 2).map((name) => rowOf(page, name).getByRole("switch"));
    if (!first || !second) throw new Error("Two rows are needed");
    // The page reads its rows while the second row changes: as its own request, and as a loader.
    const isLoader = (url: URL) => url.pathname === `${GITHUB_LIST}.data`;
    const loaded = await hold(page, isLoader);
    const listed = await hold(page, (url) => url.pathname === LIST);
    await second.click();
    await listed.begun;
    await page.evaluate(() =>
      (window as unknown as { __remixRouter: { revalidate(): void } }).__remixRouter.revalidate(),
    );
    await loaded.begun;
    // Both answers arrive while the change of the first row is on its way.
    const sent = await hold(page, (url) => url.pathname.endsWith(SWITCHES), { isUnsent: true });
    await first.click();
    await sent.begun;
    await expect(first).not.toBeChecked();
    // React sets the property of a controlled checkbox, which no observer of attributes sees.
    const seen = await first.evaluateHandle((element) => {
      const states = new Set<boolean>();
      (function look() {
        states.add((element as HTMLInputElement).checked);
        requestAnimationFrame(look);
      })();
      return states;
    });
    await loaded.release();
    await listed.release();
    const last = page.waitForResponse((answer) => answer.url().includes(LIST));
    await sent.release();
    await last;
    await page.unrouteAll({ behavior: "wait" });
    await expect.poll(daily).toEqual([...names.slice(2), stuck]);
    expect(await seen.evaluate((states) => [...states])).toEqual([false]);
    for (const row of [first, second]) {
      await row.click();
      await expect(row).toBeChecked();
    }
    await expect.poll(daily).toEqual([...names, stuck]);
  });
  await test.step("[P-074] [P-235] [P-281] deleting several requires 'I understand', or turns them off instead", async () => {
    await bar.getByRole("button", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete 3 repositories" });
    await dialog.getByRole("textbox").fill("I Understand");
    await expect(dialog.getByRole("button", { name: "Delete" })).toHaveAttribute("aria-disabled", "true");
    const paused = page.waitForRequest((request) => request.url().includes(SWITCHES));
    await dialog.getByRole("button", { name: "Deactivate instead" }).click();
    expect((await paused).postDataJSON()).toMatchObject({ is_daily_backed_up: false });
    await expect(dialog).toHaveCount(0);
    await expect(bar).toHaveCount(0);

    for (const name of names.slice(0, 2)) await rowOf(page, name).getByRole("checkbox").check();
    await bar.getByRole("button", { name: "Delete" }).click();
    const two = page.getByRole("dialog", { name: "Delete 2 repositories" });
    await two.getByRole("textbox").fill("I understand");
    await two.getByRole("button", { name: "Delete" }).click();
    for (const name of names.slice(0, 2)) await expect(rowOf(page, name)).toHaveCount(0);
    await expect(rowOf(page, names[2] ?? "")).toBeVisible();
  });
  await test.step("[P-075] [P-076] another place loads its rows and clears the selection", async () => {
    await rowOf(page, names[2] ?? "")
      .getByRole("checkbox")
      .check();
    await expect(bar).toBeVisible();
    await page.getByRole("button", { name: /^Place:/ }).click();
    await page.getByRole("menuitemradio", { name: /meridian-freight/ }).click();
    const left = rowOf(page, names[2] ?? "");
    await expect(left).toHaveCount(0);
    await expect(bar).toHaveCount(0);
    await page.goBack();
    await left.getByRole("checkbox").check();
    await expect(bar).toBeVisible();
    const other = await placeOf(person, "meridian-freight");
    const reloaded = page.waitForRequest((request) => request.url().includes(`placeId=${other}`));
    await page.goForward();
    await reloaded;
    await expect(bar).toHaveCount(0);
    await page.goBack();
    await expect(left.getByRole("checkbox")).not.toBeChecked();
    await expect(bar).toHaveCount(0);
  });
});

test("[P-183] [P-063] [P-064] a repository deleted at GitHub can still be downloaded and restored", async ({
  page,
  person,
}) => {
  const name = `gone-${randomUUID().slice(0, 4)}`;
  await createRepository(`nora-lindqvist/${name}`);
  await connect(page);
  await addRepositories(person, "nora-lindqvist", [name]);
  const item = await waitForBackup(person, name);
  await page.goto(GITHUB_LIST);
  const row = rowOf(page, name);
  await expect(row.getByText("Protected")).toBeVisible();
  await atGithub(`repos/nora-lindqvist/${name}/delete`);
  await person.call("POST", "github/backup-now", { repoName: `nora-lindqvist/${name}` });
  // The backup that finds it may wait for others on a busy machine.
  await expect(row.getByText("Deleted")).toBeVisible({ timeout: JOB_MS });
  await expect(page.getByText("Gone at GitHub. 1 version kept.")).toBeVisible();

  await page.getByRole("button", { name: `Restore ${name}` }).click();
  const dialog = page.getByRole("dialog", { name: `Restore ${name}` });
  await expect(dialog.getByRole("combobox", { name: "Place" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: `Delete ${name}` })).toBeVisible();
  await page.getByRole("link", { name: `View ${name}` }).click();
  await page.waitForURL(`**/platform/backups/github?**id=${item.id}**`);
  await expect(page.getByRole("button", { name: /^Request ZIP/ })).not.toHaveAttribute(
    "aria-disabled",
    "true",
  );
  await page.getByRole("button", { name: /^Request ZIP/ }).click();
  await expect(page.getByRole("link", { name: /^Download ZIP/ })).toBeVisible();
});
