import { expect, test } from "vitest";
import { readAccount } from "./cloudflare-account.ts";

const ANSWERS: Record<string, string> = {
  "d1 list --json": `[{"name": "holdfast-control", "uuid": "u-1", "jurisdiction": null}, {"name": "holdfast-ledger-eu", "uuid": "u-2", "jurisdiction": "eu"}]`,
  "r2 bucket list": "Listing buckets...\nname:           holdfast-vault-oc\ncreation_date:  2026-11-20\n",
  "r2 bucket list --jurisdiction eu": "Listing buckets...\nname:           holdfast-vault-eu\n",
  "r2 bucket list --jurisdiction us": "Listing buckets...\n",
  "queues list":
    "┌────┬──────────────────────┐\n│ id │ name │\n│ 1 │ my-holdfast-mail │\n│ 2 │ holdfast-backups-dead │\n",
  "secret list --name holdfast --format json": `▲ [WARNING] Something.\n\n[\n  {"name": "MASTER_KEYS", "type": "secret_text"}\n]\n`,
};

/** A fake wrangler. `failing` overrides its output. */
const wranglerThat =
  (failing: Record<string, string> = {}) =>
  async (args: string[]) => {
    const asked = args.join(" ");
    const failure = Object.entries(failing).find(([prefix]) => asked.startsWith(prefix));
    return failure ? { code: 1, output: failure[1] } : { code: 0, output: ANSWERS[asked] ?? "unexpected" };
  };

test("the account is read with the jurisdiction of every resource", async () => {
  expect(await readAccount(wranglerThat())).toMatchObject({
    databases: [
      { name: "holdfast-control", id: "u-1", jurisdiction: null },
      { name: "holdfast-ledger-eu", id: "u-2", jurisdiction: "eu" },
    ],
    buckets: [
      { name: "holdfast-vault-oc", jurisdiction: null },
      { name: "holdfast-vault-eu", jurisdiction: "eu" },
    ],
    secrets: ["MASTER_KEYS"],
  });
});

test("a queue matches only by its full name", async () => {
  const { queues } = await readAccount(wranglerThat());
  expect(queues).toContain("holdfast-backups-dead");
  expect(queues).not.toContain("holdfast-mail");
  expect(queues).not.toContain("holdfast-backups");
});

test("without a Worker there are no secrets, but a failed list is an error", async () => {
  const missing = 'Worker "holdfast" not found.\n\nIf this is a new Worker, run `wrangler deploy` first.';
  expect((await readAccount(wranglerThat({ "secret list": missing }))).secrets).toEqual([]);
  for (const command of ["secret list", "d1 list", "r2 bucket list", "queues list"]) {
    const account = readAccount(wranglerThat({ [command]: "fetch failed" }));
    await expect(account).rejects.toThrow("fetch failed");
  }
});
