import { randomUUID } from "node:crypto";
import type { ItemView } from "#core/inventory/views.ts";
import { expect, test } from "./fixtures.ts";
import type { JourneyPerson } from "./person.ts";
import { OWNER } from "./repositories.ts";
import { GITHUB_URL, JOB_MS } from "./stack.ts";
import { connect, GITHUB_LIST, rowOf } from "./steps.ts";

const GISTS = `${GITHUB_LIST}?kind=gist`;

/** Calls the simulated GitHub's API as the owner of the gists. */
async function askGithub<Result>(path: string, body?: object): Promise<Result> {
  const order = { method: "POST", body: JSON.stringify({ login: OWNER, scopes: ["gist"] }) };
  const granted = await fetch(`${GITHUB_URL}/__sim/github/token`, order);
  const { token } = (await granted.json()) as { token: string };
  const answer = await fetch(`${GITHUB_URL}/api${path}`, {
    headers: { authorization: `Bearer ${token}`, "user-agent": "journeys" },
    ...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Result;
}

type Gist = { id: string; node_id: string; description: string };

/** The owner's gists with this description. */
async function gistsSaying(description: string): Promise<Gist[]> {
  const gists = await askGithub<Gist[]>("/gists?per_page=100");
  return gists.filter((gist) => gist.description === description);
}

async function protectGist(person: JourneyPerson, description: string): Promise<ItemView> {
  const files = { [`${description}.md`]: { content: `# ${description}\n` } };
  const { id, node_id } = await askGithub<Gist>("/gists", { description, public: false, files });
  await person.call("POST", "github/add-github-gists", { gists: [{ id, node_id }] });
  const find = async () => {
    const rows = await person.call<{ view: ItemView }[]>("GET", "github/get-user-github-gists", {});
    return rows.map(({ view }) => view).find((view) => view.externalId === id);
  };
  await expect
    .poll(
      async () => {
        const item = await find();
        return item !== undefined && item.activeRun === null && item.lastBackupAt !== null;
      },
      { timeout: JOB_MS, intervals: [250] },
    )
    .toBe(true);
  const item = await find();
  if (!item) throw new Error(`There is no item for ${description}.`);
  return item;
}

test("[P-118] gists have their own back link from the bulk restore", async ({ page, person }) => {
  await connect(page);
  const rates = `rates-${randomUUID().slice(0, 6)}`;
  const gists = await Promise.all([protectGist(person, rates), protectGist(person, `${rates}-other`)]);
  await page.goto(GISTS);
  for (const { name } of gists) await rowOf(page, name).getByRole("checkbox").first().check();
  await page.getByRole("toolbar").getByRole("button", { name: "Restore" }).click();
  await expect(page).toHaveURL(/\/bulk-restore$/);
  await page.getByRole("link", { name: "Back to All Gists" }).click();
  await page.waitForURL(`**${GISTS}`);
});

test("[P-028] [P-250] [P-251] a gist is downloaded and restored by its own calls", async ({
  page,
  person,
}) => {
  const description = `tariffs-${randomUUID().slice(0, 6)}`;
  await connect(page);
  const gist = await protectGist(person, description);
  await page.goto(GISTS);
  await page.getByRole("link", { name: `View ${gist.name}` }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(gist.name);
  expect(new URL(page.url()).searchParams.get("type")).toBe("sub");
  const zip = page.waitForResponse((answer) => /\/api\/github\/github-.*get-zip$/.test(answer.url()));
  await page
    .getByRole("button", { name: /^Request ZIP/ })
    .first()
    .click();
  expect(new URL((await zip).url()).pathname).toBe("/api/github/github-gist-get-zip");
  expect((await zip).status()).toBe(200);
  expect((await zip).request().postDataJSON()).toMatchObject({ id: gist.id });

  await page.getByRole("button", { name: "Restore latest good" }).first().click();
  const dialog = page.getByRole("dialog", { name: `Restore ${gist.name}` });
  const newName = dialog.getByLabel("New name");
  await expect(newName).toHaveValue("N/A");
  await expect(newName).toBeDisabled();
  const restore = page.waitForResponse((answer) => /\/api\/github\/restore-/.test(answer.url()));
  await dialog.getByRole("button", { name: "Restore into a new gist" }).click();
  expect(new URL((await restore).url()).pathname).toBe("/api/github/restore-gists");
  expect((await restore).status()).toBe(200);
  await expect.poll(async () => (await gistsSaying(description)).length, { timeout: JOB_MS }).toBe(2);
});
