import { expect, test } from "vitest";
import { ApiError } from "#app/api/call-api.ts";
import { requestZip, zipState } from "./zip-action.tsx";

const request = { platform: "github", kind: "repository", itemId: "itm_1", snapshotId: "snp_1" };

test("a ready link is usable until its expiry and asked for anew afterwards", () => {
  const zip = { status: "ready", url: "/z", expiresAt: 1_000 } as const;
  expect(zipState(zip, 999)).toBe("ready");
  expect(zipState(zip, 1_000)).toBe("expired");
  expect(zipState({ ...zip, status: "pending" }, 2_000)).toBe("pending");
});

test("an answer with an address is ready, in the result or beside it", async () => {
  expect(await requestZip(request, { fetch: answering({ result: { url: "/a.zip" } }) })).toBe("/a.zip");
  expect(await requestZip(request, { fetch: answering({ url: "/b.zip" }) })).toBe("/b.zip");
});

test("a success with a message alone means that the ZIP is being prepared", async () => {
  expect(await requestZip(request, { fetch: answering({ message: "It takes a few minutes." }) })).toBeNull();
});

test("a refusal keeps the server's sentence for the warning", async () => {
  const refused = requestZip(request, { fetch: answering({ status: "failure", message: "Gone" }) });
  await expect(refused).rejects.toThrow(new ApiError("Gone", { code: "err.internal", status: 200 }));
});

function answering(body: object): typeof fetch {
  return async () => Response.json({ status: "success", ...body });
}
