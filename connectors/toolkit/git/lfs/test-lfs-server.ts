import { createHash } from "node:crypto";
import type { LfsServer } from "./lfs-api.ts";

export const NOW = Date.UTC(2026, 10, 3);

/** A file with its name in Git LFS. */
export function lfsFile(content: string) {
  const bytes = Buffer.from(content);
  return { oid: createHash("sha256").update(bytes).digest("hex"), sizeBytes: bytes.length, bytes };
}

/** What the server in memory says about one file: its actions and error, as in the batch API. */
export type LfsWord = {
  actions?: Partial<Record<string, object>>;
  error?: { code: number; message?: string };
};

/** An address of one file at the server in memory. */
export const addressOf = (oid: string, more: object = {}) => ({ href: `https://files.test/${oid}`, ...more });

/** A server in memory: `say` answers about a file, `give` answers at its address. */
export function lfsServerOf({
  say = (oid: string): LfsWord | null => ({ actions: { download: addressOf(oid) } }),
  give = (_oid: string, _init: RequestInit): Response => new Response("content"),
}) {
  const asked: { operation: string; oids: string[] }[] = [];
  const given: { oid: string; method: string; headers: Record<string, string>; body: string }[] = [];
  const fetch = async (url: string, init: RequestInit = {}) => {
    if (url.endsWith("/info/lfs/objects/batch")) {
      const { operation, objects } = JSON.parse(String(init.body)) as {
        operation: string;
        objects: { oid: string }[];
      };
      asked.push({ operation, oids: objects.map(({ oid }) => oid) });
      const told = objects.map(({ oid }) => ({ oid, word: say(oid) }));
      return Response.json({
        objects: told.flatMap(({ oid, word }) => (word === null ? [] : [{ oid, ...word }])),
      });
    }
    const oid = url.split("/").at(-1)!;
    const body = init.body === undefined ? "" : await new Response(init.body as BodyInit).text();
    const headers = Object.fromEntries(new Headers(init.headers));
    given.push({ oid, method: init.method ?? "", headers, body });
    return give(oid, init);
  };
  const remote = { url: "https://git.test/r.git", fetch, clock: { now: () => NOW }, stallMs: 2_000 };
  const server: LfsServer = { platform: "Forge", remote };
  return { server, asked, given };
}
