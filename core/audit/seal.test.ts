import { expect, test } from "vitest";
import { sha256Hex } from "#core/kernel/crypto.ts";
import type { AuditRow } from "./audit.store.ts";
import { payloadHashOf } from "./seal.ts";

const row: AuditRow = {
  id: "aud_1",
  organisationId: "org_1",
  userId: "usr_1",
  userName: "Ann Example",
  action: "request-zip",
  platform: "github",
  subject: "octo/api",
  occasion: null,
  createdAt: 7,
  outcome: "success",
  ip: null,
  versionId: "snp_1",
  versionTakenAt: null,
};

test("an entry that was sealed before versions had a time keeps its hash", async () => {
  const then =
    '[{"action":"request-zip","createdAt":7,"id":"aud_1","organisationId":"org_1","outcome":"success","platform":"github","versionId":"snp_1"},"personal"]';
  expect(await payloadHashOf(row, "personal")).toBe(await sha256Hex(then));
});

test("the time of a version is in the hash", async () => {
  const hashes = [null, 5, 6].map((versionTakenAt) => payloadHashOf({ ...row, versionTakenAt }, "personal"));
  expect(new Set(await Promise.all(hashes)).size).toBe(3);
});
