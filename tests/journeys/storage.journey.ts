import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect, test } from "./fixtures.ts";
import { createRepository } from "./outside.ts";
import { DROPBOX_URL, JOB_MS, startPlan } from "./stack.ts";
import { addRepositories, connect, GITHUB_LIST, historyUrl, waitForBackup } from "./steps.ts";

const OWNER = "nora-lindqvist";
/** The bucket of the simulated S3. */
const KEYS = {
  "Access key ID": "AKIAHOLDFASTDEMO0001",
  "Secret access key": "demo/secret+of/a+simulated/bucket+0001",
  "Bucket name": "meridian-backups",
} as const;

test("[P-048] [P-293] [P-405] [P-441] [P-443] [P-444] Dropbox is connected in a new tab, receives the versions of the chosen apps, and is the only storage until disconnected", async ({
  page,
  person,
}) => {
  const name = `copied-${randomUUID().slice(0, 6)}`;
  await createRepository(`${OWNER}/${name}`);
  await connect(page);
  await page.goto("/settings/storage");
  const consent = page.context().waitForEvent("page");
  await page.getByRole("button", { name: "Connect Dropbox" }).click();
  const tab = await consent;
  await tab.waitForURL(`${DROPBOX_URL}/oauth2/authorize**`);
  expect(await tab.evaluate(() => window.opener)).toBeNull();
  await expect(page.getByText("Waiting for you to agree at Dropbox")).toBeVisible();
  await tab.locator('input[name="login"]').first().check();
  await tab.getByRole("button", { name: /^Allow/ }).click();
  await tab.waitForURL("**/settings/storage**");
  await expect(tab.getByText("Storage is connected")).toBeVisible();
  await tab.close();
  await expect(page.getByText("Dropbox is connected")).toBeVisible();
  await expect(page.getByText("Waiting for you to agree")).toHaveCount(0);

  await page.getByRole("button", { name: "Connect Google Drive" }).click();
  await expect(
    page.getByText("You can only connect to one drive. Disconnect to sync to another."),
  ).toBeVisible();

  await page.getByRole("checkbox", { name: "GitHub" }).check();
  await page.getByRole("button", { name: /^Save/ }).click();
  await expect(page.getByText("External storage settings saved")).toBeVisible();
  await expect(page.getByText("Nothing is copied yet.")).toBeVisible();

  await addRepositories(person, OWNER, [name]);
  const item = await waitForBackup(person, name);
  await expect(async () => {
    await page.goto(historyUrl(item));
    await expect(page.getByText(/^Copied to your storage .*GitHub\/nora-lindqvist/)).toHaveCount(1, {
      timeout: 2_000,
    });
  }).toPass({ timeout: JOB_MS });

  // The button in the list opens the same panel.
  await page.goto(GITHUB_LIST);
  await page.getByRole("button", { name: "External storage" }).first().click();
  const panel = page.getByRole("dialog", { name: "External storage" });
  await expect(panel.getByText(/^1 version, .* last copy/)).toBeVisible();
  await panel.getByRole("button", { name: "Disconnect Dropbox" }).click();
  const leaving = page.getByRole("dialog", { name: "Disconnect Dropbox" });
  await expect(leaving).toContainText("Every file that is there stays");
  await leaving.getByRole("button", { name: "Disconnect" }).click();
  await expect(page.getByText("Dropbox is disconnected")).toBeVisible();
  await expect(panel.getByRole("button", { name: "Connect Dropbox" })).toBeVisible();
  await expect(panel.getByRole("checkbox")).toHaveCount(0);
});

test("[P-128] [P-129] [P-169] [P-171] [P-278] [P-279] [P-442] an S3 bucket is connected by a form with a guide, and its secret is never shown again", async ({
  page,
  person,
  expectComplaint,
}) => {
  void person;
  // A wrong key is rejected, which the browser logs in its console.
  expectComplaint(/409/);
  await connect(page);
  await page.goto("/settings/storage");
  await test.step("[A-026] three kinds of storage are offered", async () => {
    for (const kind of ["Dropbox", "Google Drive", "AWS S3"])
      await expect(page.getByRole("button", { name: `Connect ${kind}` })).toBeVisible();
  });
  await page.getByRole("button", { name: "Connect AWS S3" }).click();
  const form = page.getByRole("dialog", { name: "Connect AWS S3" });
  await form.getByRole("button", { name: "How to set this up" }).click();
  const guide = page.getByRole("dialog", { name: "Set up an AWS S3 bucket" });
  await expect(guide).toContainText("s3:PutObject");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    guide.getByRole("button", { name: "Download PDF" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("holdfast-aws-s3-setup.pdf");
  expect((await readFile(await download.path(), "latin1")).startsWith("%PDF-1.4")).toBe(true);
  await page.keyboard.press("Escape");
  await expect(guide).toHaveCount(0);

  const submit = form.getByRole("button", { name: /^Connect/ });
  const region = form.getByLabel("Region");
  await expect(region.locator("option:not([disabled])")).toHaveCount(34);
  for (const [label, value] of Object.entries(KEYS)) await form.getByLabel(label).fill(value);
  await expect(submit).toHaveAttribute("aria-disabled", "true");
  await region.selectOption("us-west-2");
  await form.getByLabel("Secret access key").fill("wrong/secret+of/a+simulated/bucket+0001");
  await submit.click();
  await expect(form.getByRole("alert")).toBeVisible();
  await form.getByLabel("Secret access key").fill(KEYS["Secret access key"]);
  await submit.click();
  await expect(page.getByText("AWS S3 bucket meridian-backups is connected")).toBeVisible();
  await expect(form).toHaveCount(0);

  const asked = page.waitForResponse("**/api/user/get-cloud-storages");
  await page.reload();
  const told = await (await asked).text();
  expect(told).toContain("meridian-backups");
  for (const secret of ["Access key ID", "Secret access key"] as const)
    expect(told).not.toContain(KEYS[secret]);
  await page.getByRole("button", { name: "Replace keys: AWS S3" }).click();
  await expect(form.getByLabel("Secret access key")).toHaveValue("");
  await expect(form.getByLabel("Bucket name")).toHaveValue("meridian-backups");
  await expect(region).toHaveValue("us-west-2");
});

test("[P-304] without Pro or a trial the panel links to the plan", async ({ page, person }) => {
  await connect(page);
  await startPlan(person, { plan: "essential", quantity: 12, endsAt: null });
  await page.goto("/settings/storage");
  await page.getByRole("button", { name: "Connect Dropbox" }).click();
  const refusal = "This feature is only available with a Pro Plan subscription";
  await expect(page.getByText(refusal)).toBeVisible();
  const asked = person.call("GET", "user/get-cloud-storage-auth-url", { cloudStorageName: "dropbox" });
  await expect(asked).rejects.toThrow(refusal);
});
