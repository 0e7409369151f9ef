import { randomUUID } from "node:crypto";
import { expect, test } from "./fixtures.ts";
import { createRepository } from "./outside.ts";
import { GOOGLE_DRIVE_URL, JOB_MS } from "./stack.ts";
import { addRepositories, connect, waitForBackup } from "./steps.ts";

const OWNER = "nora-lindqvist";

/** Paths of the complete files in the person's Drive, below our folder. */
async function filesInDrive(): Promise<string[]> {
  const answer = await fetch(`${GOOGLE_DRIVE_URL}/__sim/google-drive/files/${OWNER}`);
  const { files } = (await answer.json()) as { files: { path: string }[] };
  return files.map(({ path }) => path);
}

test("[P-168] Google Drive is connected once its box is ticked, and receives the copies", async ({
  page,
  person,
}) => {
  test.slow();
  const name = `driven-${randomUUID().slice(0, 6)}`;
  await createRepository(`${OWNER}/${name}`);
  await connect(page);
  await page.goto("/settings/storage");

  const agree = async (isTicked: boolean) => {
    const consent = page.context().waitForEvent("page");
    await page.getByRole("button", { name: "Connect Google Drive" }).click();
    const tab = await consent;
    await tab.waitForURL(`${GOOGLE_DRIVE_URL}/o/oauth2/v2/auth**`);
    await tab.locator('input[name="login"]').first().check();
    if (!isTicked) await tab.getByRole("checkbox").uncheck();
    await tab.getByRole("button", { name: /^Allow/ }).click();
    await tab.waitForURL("**/settings/storage**");
    return tab;
  };
  const refused = await agree(false);
  await expect(refused.getByText(/tick the box for Google Drive files/)).toBeVisible();
  await refused.close();
  await page.reload();
  await expect(page.getByRole("button", { name: "Connect Google Drive" })).toBeVisible();
  const agreed = await agree(true);
  await expect(agreed.getByText("Storage is connected")).toBeVisible();
  await agreed.close();
  await expect(page.getByText("Google Drive is connected")).toBeVisible();

  await page.getByRole("checkbox", { name: "GitHub" }).check();
  await page.getByRole("button", { name: /^Save/ }).click();
  await expect(page.getByText("External storage settings saved")).toBeVisible();
  await addRepositories(person, OWNER, [name]);
  await waitForBackup(person, name);
  const copy = new RegExp(`^GitHub/${OWNER}/${name}/${name} .+\\.zip$`);
  await expect
    .poll(async () => (await filesInDrive()).filter((path) => copy.test(path)), { timeout: JOB_MS })
    .toHaveLength(1);
});
