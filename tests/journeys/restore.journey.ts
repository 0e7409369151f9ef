import { randomUUID } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import { accessibilityFaults } from "./accessibility.ts";
import { expect, test } from "./fixtures.ts";
import { askedOfGithub, atGithub, fault, mailsTo } from "./outside.ts";
import { freshEmail, type JourneyPerson } from "./person.ts";
import { atGithubNow, historyOf, OWNER, protect } from "./repositories.ts";
import { JOB_MS } from "./stack.ts";
import { connect, GITHUB_LIST, historyUrl, itemsOf, placeOf, rowOf, waitForBackup } from "./steps.ts";

const PLACE = `${OWNER} (personal account)`;

test("the restore dialog accepts only valid input, shows refusals and confirms the start", async ({
  page,
  person,
  expectComplaint,
}) => {
  expectComplaint(/status of 400/);
  const name = `bills-${randomUUID().slice(0, 4)}`;
  await connect(page);
  const item = await protect(person, name);
  await page.clock.install();
  await page.goto(historyUrl(item));
  const { dialog, newName, place, emails, submit } = await openRestore(page);

  await test.step("[P-247] [P-263] a place must be chosen; the name may stay empty", async () => {
    await expect(submit).toHaveAttribute("aria-disabled", "true");
    await expect(submit).toContainText("Choose a place first");
    await place.selectOption({ label: PLACE });
    await expect(newName).toHaveValue("");
    await expectOpen(submit);
  });
  await test.step("[P-248] a name has a maximum length", async () => {
    await newName.fill("n".repeat(101));
    await expect(dialog).toContainText("At most 100 characters.");
    await expect(submit).toHaveAttribute("aria-disabled", "true");
    await newName.fill("n".repeat(100));
    await expectOpen(submit);
    await newName.fill("");
  });
  await test.step("[A-300] [A-301] [A-302] [A-303] [P-258] [P-259] [P-265] addresses are validated when their field loses focus", async () => {
    for (const [text, fault] of [
      ["a@b.co,", "Please, write email after comma"],
      ["a@b.co,zzz", "Invalid email format"],
    ] as const) {
      await emails.fill("");
      await emails.pressSequentially(text);
      await expect(dialog).not.toContainText(fault);
      await emails.blur();
      await expect(dialog.getByText(fault, { exact: true })).toBeVisible();
      await expect(submit).toHaveAttribute("aria-disabled", "true");
      await expect(submit).toContainText("Correct the marked fields");
    }
    await emails.fill("");
    await emails.blur();
    await expectOpen(submit);
  });

  const first = freshEmail();
  const second = freshEmail();
  await emails.fill(`${first} , ${second}`);
  const calls: unknown[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/github/restore-repos")) calls.push(request.postDataJSON());
  });
  await test.step("[P-433] [P-434] a refusal is shown, and the button is enabled again", async () => {
    const refusal = {
      status: "failure",
      message: "The harbour is closed today.",
      result: null,
      code: "err.x",
    };
    const arrived = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    await page.route("**/api/github/restore-repos", async (route) => {
      arrived.resolve();
      await answer.promise;
      await route.fulfill({ status: 400, json: refusal });
    });
    await submit.click();
    await arrived.promise;
    await expect(submit).toHaveAttribute("aria-busy", "true");
    answer.resolve();
    await expect(dialog).toContainText("The harbour is closed today");
    await expect(submit).not.toHaveAttribute("aria-busy", "true");
    await expectOpen(submit);
    await page.unroute("**/api/github/restore-repos");
  });

  await test.step("[A-455] [P-432] the start is confirmed by a toast for three seconds", async () => {
    await page.clock.pauseAt(Date.now() + 120_000);
    await submit.click();
    const toast = page.getByText("Your restore is now in process", { exact: true });
    // A toast appears by a timer, which a stopped clock does not fire.
    await expect(async () => {
      await page.clock.runFor(50);
      await expect(toast).toBeVisible({ timeout: 100 });
    }).toPass({ timeout: 20_000 });
    await page.clock.runFor(2_500);
    await expect(toast).toBeVisible();
    await page.clock.runFor(1_000);
    await expect(toast).toHaveCount(0);
  });
  await test.step("[A-298] [A-299] [P-249] [P-256] [P-257] the original's name with _restored is sent, and the addresses without spaces", async () => {
    expect(calls).toHaveLength(2);
    expect(calls[1]).toMatchObject({
      items: [{ id: item.id, name: `${name}_restored` }],
      emails: `${first},${second}`,
    });
  });
});

test("[P-260] [P-261] while the repository is busy nothing can be restored", async ({ page, person }) => {
  const name = `bills-${randomUUID().slice(0, 4)}`;
  await connect(page);
  const item = await protect(person, name);
  await page.goto(historyUrl(item));
  const { place, submit } = await openRestore(page);
  await place.selectOption({ label: PLACE });
  await expectOpen(submit);
  await fault({
    match: { path: `/${name}(\\.git)?/git-upload-pack` },
    action: { kind: "latency", ms: 6_000 },
  });
  await person.call("POST", "github/backup-now", { repoName: item.id });
  await expect(submit).toContainText("Please wait until another element has completed its action.");
  await expect(submit).toHaveAttribute("aria-disabled", "true");
  await waitForBackup(person, name);
  await expectOpen(submit);
});

test("[A-019] [P-334] a version is restored as a new repository, and the original is unchanged", async ({
  page,
  person,
}) => {
  const name = `cargo-${randomUUID().slice(0, 4)}`;
  const target = `${name}-copy`;
  await connect(page);
  const item = await protect(person, name);
  const original = await atGithubNow(`${OWNER}/${name}`);
  const addresses = [freshEmail(), freshEmail()];
  await fault({
    match: { path: `/${target}(\\.git)?/git-receive-pack` },
    action: { kind: "latency", ms: 4_000 },
  });
  await page.goto(GITHUB_LIST);
  const row = rowOf(page, name);
  await row.getByRole("button", { name: `Restore ${name}` }).click();
  const { dialog, newName, place, emails, submit } = restoreDialog(page);
  await expect(dialog).toContainText("latest good");
  await newName.fill(target);
  await place.selectOption({ label: PLACE });
  await emails.fill(addresses.join(","));
  const call = page.waitForRequest("**/api/github/restore-repos");
  await submit.click();
  expect((await call).method()).toBe("POST");
  const [version] = await historyOf(person, item);
  expect((await call).postDataJSON()).toMatchObject({
    items: [{ id: item.id, versionid: version?.snapshotId, name: target, place: { name: OWNER } }],
    placeId: await placeOf(person, OWNER),
    emails: addresses.join(","),
  });
  await expect(row.getByText("Restoring")).toBeVisible();
  await expect(row.getByText("Protected")).toBeVisible({ timeout: JOB_MS });

  expect(await atGithubNow(`${OWNER}/${target}`)).toEqual(original);
  expect(await atGithubNow(`${OWNER}/${name}`)).toEqual(original);
  const asked = await askedOfGithub(new RegExp(`/${name}(\\.git)?([/?]|$)`));
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.filter(({ method, path }) => isWrite(method, path))).toEqual([]);
  expect((await askedOfGithub(new RegExp(`/${target}(\\.git)?/git-receive-pack`))).length).toBeGreaterThan(0);
  for (const address of addresses) {
    await expect.poll(async () => (await mailsTo(address)).length, { timeout: JOB_MS }).toBe(1);
    expect((await mailsTo(address))[0]?.text).toContain(target);
  }

  await test.step("[P-102] [P-103] [P-155] the history shows it, and opens the dialog once for the first version below it", async () => {
    expect((await historyOf(person, item)).map(({ type }) => type)).toEqual(["restore", "backup"]);
    await page.goto(historyUrl(item, { run: "true" }));
    await expect(page.getByRole("dialog", { name: `Restore ${name}` })).toContainText("latest good");
    await expect(page).not.toHaveURL(/run=/);
    await page.keyboard.press("Escape");
    const rows = page.getByRole("table", { name: `Versions of ${name}, newest first` }).getByRole("row");
    await expect(rows.filter({ hasText: "Backup" })).toHaveCount(1);
    const restored = rows.filter({ has: page.getByRole("cell", { name: "Restore", exact: true }) });
    await expect(restored.getByRole("link", { name: target })).toBeVisible();
    await page.reload();
    await expect(restored).toHaveCount(1);
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });

  await test.step("the report of it is a page of its own", async () => {
    await page.getByRole("link", { name: /^Report of the restore/ }).click();
    await expect(page).toHaveURL(/\/restored\?id=.*&run=/);
    await expect(page.getByRole("heading", { level: 1, name: /Restored/ })).toBeVisible();
    await expect(page.getByText(`${name} of `)).toContainText("The original was not touched.");
    await expect(page.getByRole("link", { name: "Open at GitHub" })).toHaveAttribute("href", /.+-copy$/);
    await expect(page.getByRole("table", { name: "What came back" })).toContainText("Branch");
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.setViewportSize({ width: 375, height: 800 });
    const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
    await expect.poll(wide).toBeLessThanOrEqual(375);
    await page.getByRole("link", { name: `Versions of ${name}` }).click();
    await expect(page.getByRole("button", { name: "Restore latest good" }).first()).toBeVisible();
  });
});

test("before it starts, the dialog shows what a restore will create, what it cannot and what it costs", async ({
  page,
  person,
  expectComplaint,
}) => {
  expectComplaint(/ERR_FAILED/);
  const name = `pier-${randomUUID().slice(0, 4)}`;
  await connect(page);
  const item = await protect(person, name);
  const version = (await historyOf(person, item))[0]?.snapshotId ?? "";
  await page.route("**/api/versions/restore-plan?*", (route) => route.abort(), { times: 1 });
  await page.goto(historyUrl(item));
  const { dialog } = await openRestore(page);
  const plan = dialog.getByRole("complementary", { name: "What is restored" });
  await expect(plan).toContainText("The forecast failed");
  await expect(plan).toContainText("Every branch, tag and note");
  await plan.getByRole("button", { name: "Try again" }).click();
  await expect(plan).toContainText(
    /About \d+ calls to GitHub, (under a minute|about \d+ minutes?) at its limits\./,
  );
  await expect(plan).toContainText("GitHub Actions are switched off");
  const told = await person.call<{ creates: { kind: string; count: number }[] }>(
    "GET",
    `versions/restore-plan?itemId=${item.id}&snapshotId=${version}`,
  );
  const branches = told.creates.find(({ kind }) => kind === "branch")?.count ?? 0;
  expect(branches).toBeGreaterThan(0);
  await expect(plan.getByText(branches === 1 ? "Branch" : "Branches", { exact: true })).toBeVisible();
  await test.step("another choice recalculates the plan", async () => {
    const asked = page.waitForRequest(/restore-plan\?.*options=pullRequestBranches/);
    await dialog.getByLabel("Bring pull requests back as branches").check();
    await asked;
    await expect(plan).toContainText("calls to GitHub");
  });
});

test("a connector's questions are answered before a restore starts and sent with it", async ({
  page,
  person,
}, info) => {
  const name = `lock-${randomUUID().slice(0, 4)}`;
  await connect(page);
  const item = await protect(person, name);
  await page.route("**/api/versions/restore-questions?*", (route) =>
    route.fulfill({
      json: { status: "success", message: null, result: { questions: QUESTIONS }, code: null },
    }),
  );
  await page.goto(historyUrl(item));
  const { dialog, place, submit } = await openRestore(page);
  await place.selectOption({ label: PLACE });
  await expect(submit).toContainText("Choose: Comments");
  await dialog.getByLabel("Comments").selectOption({ label: "In one text" });
  await expect(submit).toContainText("1 column open");
  await dialog.getByLabel("Prefix").fill("from 2025 ");
  const column = (name: string) => dialog.getByRole("combobox", { name: `Match for ${name}` });
  await expect(column("To do")).toHaveValue("a");
  await expect(dialog.getByText("3 of 4 matched")).toBeVisible();
  // The plan before the last answer is dimmed while the new one loads.
  await expect(dialog.locator('.restore-plan[aria-busy="true"]')).toHaveCount(0);
  expect(await accessibilityFaults(page, { within: ".dialog" })).toEqual([]);
  for (const [width, colorScheme] of [
    [1280, "light"],
    [1280, "dark"],
    [375, "light"],
    [375, "dark"],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await dialog.getByLabel("I don't want to match all or some of columns").scrollIntoViewIfNeeded();
    await page.screenshot({ path: info.outputPath(`questions-${width}-${colorScheme}.png`), fullPage: true });
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await dialog.getByLabel("I don't want to match all or some of columns").check();
  await expect(column("Waiting for carrier")).toHaveValue("");
  await expectOpen(submit);
  await column("Review").selectOption({ label: "Done" });
  await expect(dialog.getByText("3 of 4 matched")).toBeVisible();
  const sent = page.waitForRequest("**/api/github/restore-repos");
  await submit.click();
  expect((await sent).postDataJSON().items).toMatchObject([
    {
      options: {
        ...{ heads: false, mode: "one", prefix: "from 2025 " },
        columns: { 1: "a", 2: null, 3: "c", 4: "c" },
      },
    },
  ]);
  await expect(page.getByText("Your restore is now in process", { exact: true })).toBeVisible();
});

/** One question of each type. */
const QUESTIONS = [
  { type: "switch", name: "heads", label: "Bring heads back", help: "As branches.", default: false },
  {
    ...{ type: "choice", name: "mode", label: "Comments", help: "Their authors are named in any case." },
    options: [
      { value: "each", label: "One by one" },
      { value: "one", label: "In one text" },
    ],
    default: null,
  },
  {
    type: "text",
    name: "prefix",
    label: "Prefix",
    help: "Stands before each title.",
    maxLength: 20,
    default: "",
  },
  {
    ...{ type: "matching", name: "columns", label: "Match columns", isRequired: true },
    help: "What is not matched starts in the first column.",
    things: { one: "column", many: "columns" },
    left: [
      { id: "1", label: "To do", note: "318 issues" },
      { id: "2", label: "Waiting for carrier", note: "36 issues" },
      { id: "3", label: "Review", note: "22 issues" },
      { id: "4", label: "Done", note: "754 issues" },
    ],
    right: [
      { id: "a", label: "To do" },
      { id: "b", label: "In review" },
      { id: "c", label: "Done" },
    ],
    default: { 1: "a", 2: null, 3: "b", 4: "c" },
    suggested: ["3"],
  },
];

/** Protects a repository, deletes it at GitHub, and waits until that is known. Returns what it was, too. */
async function protectAndLose(person: JourneyPerson, name: string) {
  const item = await protect(person, name);
  const original = await atGithubNow(`${OWNER}/${name}`);
  await atGithub(`repos/${OWNER}/${name}/delete`);
  await person.call("POST", "github/backup-now", { repoName: item.id });
  await waitForBackup(person, name, (each) => each.status === "deleted");
  return { item, original };
}

test("[P-340] for a repository deleted at GitHub any place of the account is offered", async ({
  page,
  person,
}) => {
  await connect(page);
  const { item } = await protectAndLose(person, `quay-${randomUUID().slice(0, 4)}`);
  await page.goto(historyUrl(item));
  await expect(page.getByText("Gone at GitHub", { exact: true })).toBeVisible();
  const { dialog, place } = await openRestore(page);
  await expect(dialog).toContainText("so you can choose any place of the account");
  type Place = { name: string; type: "User" | "Organization" };
  const offered = await person.call<Place[]>("GET", "github/get-places-for-deleted-items");
  const added = await person.call<Place[]>("GET", "github/get-available-user-places");
  expect(offered.length).toBeGreaterThan(added.length);
  const wordOf = { User: "personal account", Organization: "organisation" };
  const words = offered.map((one) => `${one.name} (${wordOf[one.type]})`);
  expect(await place.getByRole("option").allInnerTexts()).toEqual(["Choose a place", ...words]);
});

test("[P-184] a repository deleted at GitHub is restored under its own name", async ({ page, person }) => {
  const name = `quay-${randomUUID().slice(0, 4)}`;
  await connect(page);
  const { item, original } = await protectAndLose(person, name);
  await page.goto(historyUrl(item));
  const { place, newName, submit } = await openRestore(page);
  await newName.fill(name);
  await place.selectOption({ label: PLACE });
  await submit.click();
  await waitForRestore(person, name, "success");
  expect(await atGithubNow(`${OWNER}/${name}`)).toEqual(original);
});

test("a restore refused by GitHub shows its reason and can be requested again", async ({ page, person }) => {
  const name = `ferry-${randomUUID().slice(0, 4)}`;
  await connect(page);
  const item = await protect(person, name);
  await fault({
    match: { path: `/${name}_restored(\\.git)?/info/refs.service=git-receive-pack` },
    times: 20,
    action: { kind: "answer", status: 403, body: "Your account may not write here." },
  });
  const address = freshEmail();
  await page.goto(historyUrl(item));
  const { place, emails, submit } = await openRestore(page);
  await place.selectOption({ label: PLACE });
  await emails.fill(address);
  await submit.click();
  await waitForRestore(person, name, "failed");
  const [run] = await historyOf(person, item);
  expect(run?.errorText).toBeTruthy();
  await expect(page.getByText(run?.errorText ?? "")).toBeVisible();
  await expect(page.getByText("The original and every version are untouched.")).toBeVisible();
  await expect(page.getByRole("main").getByText("Restoring")).toHaveCount(0);
  await expect.poll(async () => (await mailsTo(address)).length, { timeout: JOB_MS }).toBe(1);
  await page.goto(GITHUB_LIST);
  await expect(rowOf(page, name).getByRole("button", { name: `Restore ${name}` })).not.toHaveAttribute(
    "aria-disabled",
    "true",
  );
});

function restoreDialog(page: Page) {
  const dialog = page.getByRole("dialog", { name: /^Restore / });
  return {
    dialog,
    newName: dialog.getByLabel("New name"),
    place: dialog.getByLabel("Place"),
    emails: dialog.getByLabel("Notify by e-mail"),
    submit: dialog.getByRole("button", { name: /^Restore into/ }),
  };
}

/** Opens the restore dialog of the newest version on the history page. */
async function openRestore(page: Page) {
  await page.getByRole("button", { name: "Restore latest good" }).first().click();
  const found = restoreDialog(page);
  await expect(found.dialog).toBeVisible();
  return found;
}

async function expectOpen(submit: Locator): Promise<void> {
  await expect(submit).not.toHaveAttribute("aria-disabled", "true");
}

/** Waits until the newest restore of an item has this status. */
async function waitForRestore(person: JourneyPerson, name: string, status: "success" | "failed") {
  await expect
    .poll(
      async () => {
        const item = (await itemsOf(person)).find((each) => each.name === name);
        const [newest] = item ? await historyOf(person, item) : [];
        return newest?.type === "restore" ? newest.status : null;
      },
      { timeout: JOB_MS },
    )
    .toBe(status);
}

/** Whether a request could change something at GitHub. */
function isWrite(method: string, path: string): boolean {
  return path.includes("git-receive-pack") || (method !== "GET" && !path.includes("git-upload-pack"));
}
