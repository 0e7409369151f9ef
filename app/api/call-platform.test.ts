import { expect, test } from "vitest";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { callPlatform, inDialect, isOffered } from "./call-platform.ts";
import { request } from "./transport.ts";

test("our fields are sent under the platform's names, at every depth", () => {
  const fields = { items: "boards", itemId: "id", snapshotId: "versions" };
  const input = { items: [{ itemId: "itm_1", snapshotId: "snp_1", name: "x" }], emails: null };
  expect(inDialect({ fields }, input)).toEqual({
    boards: [{ id: "itm_1", versions: "snp_1", name: "x" }],
    emails: null,
  });
});

test("a ZIP of a GitHub repository is requested with the spec's names", async () => {
  const seen: { url: string; init: RequestInit }[] = [];
  await callPlatform(
    { platform: "github", does: "request-zip", kind: "repository" },
    { itemId: "itm_1", snapshotId: "snp_1" },
    {
      fetch: async (url, init) => {
        seen.push({ url: String(url), init: init ?? {} });
        return Response.json({ status: "success", result: null });
      },
    },
  );
  expect(seen[0]?.url).toBe("/api/github/github-get-zip");
  expect(seen[0]?.init).toMatchObject({ method: "POST", body: '{"repoId":"itm_1","versionId":"snp_1"}' });
});

test("an operation that a platform does not offer is known before the call", async () => {
  expect(isOffered({ platform: "github", does: "request-zip", kind: "repository" })).toBe(true);
  expect(isOffered({ platform: "github", does: "request-zip", kind: "no-such-kind" })).toBe(false);
  const call = callPlatform({ platform: "nowhere", does: "list-connections", kind: "x" }, {});
  await expect(call).rejects.toThrow("nowhere");
});

const RESTORED_KINDS = descriptors.flatMap(({ id, itemKinds }) =>
  itemKinds.map((kind) => [id, kind.id] as const),
);

test.each(RESTORED_KINDS)(
  "[A-428] a restore at %s of a %s that fails without a message shows a failed restore",
  async (platform, kind) => {
    const call = callPlatform(
      { platform, does: "restore-items", kind },
      { items: [] },
      { fetch: async () => Response.json({ status: "failure" }, { status: 400 }) },
    );
    await expect(call).rejects.toThrow(/^Error on data restore\. Try later$/);
  },
);

test("a response with the platform's names is converted to ours", async () => {
  const seen: string[] = [];
  const answer = await callPlatform(
    { platform: "github", does: "back-up-all-now", kind: "repository" },
    { placeId: "plc_1" },
    {
      fetch: async (url) => {
        seen.push(String(url));
        return Response.json({ status: "success", result: { queued: 1 } });
      },
    },
  );
  expect(seen).toEqual(["/api/github/backup-all-repos-now?placeId=plc_1"]);
  expect(answer.result).toEqual({ queued: 1 });
  const translated = await request("forge/add", {
    method: "POST",
    answers: { added: "projects_list", total: "totalItemsNumber" },
    fetch: async () =>
      Response.json({ status: "success", result: { projects_list: [1] }, totalItemsNumber: 4 }),
  });
  expect(translated.result).toEqual({ added: [1] });
  expect(translated.beside).toMatchObject({ total: 4 });
});
