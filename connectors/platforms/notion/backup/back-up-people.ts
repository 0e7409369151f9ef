import { z } from "zod";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import type { BackupStage } from "#connectors/toolkit/records/run-stages.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import { paths } from "../client.ts";
import { emojisSchema, usersSchema } from "../payloads.ts";
import { readAll } from "../read-list.ts";
import { recordForm, unsigned } from "../record-form.ts";
import { recordPaths } from "../record-paths.ts";
import { backUpFiles } from "./back-up-files.ts";
import { storedFiles } from "./old-page.ts";
import type { Work } from "./workspace-run.ts";

/** The members of the workspace. Guests are not listed (Notion's documentation, "List all users"). */
export function peopleStage(open: (run: Work["run"]) => Work): BackupStage {
  return {
    id: "people",
    optional: { kind: "user", path: recordPaths.users, prefixes: [recordPaths.users] },
    async *run(run) {
      const work = open(run);
      const call = { method: "GET", path: paths.users, about: "the members of this workspace" } as const;
      const there = new Set<string>();
      for (const user of await readAll(work.client, call, usersSchema)) {
        const path = recordPaths.user(user.id);
        there.add(path);
        yield { type: "record", path, kind: "user", title: user.name ?? "Person", value: recordForm(user) };
      }
      yield* dropOthers(work, recordPaths.users, there);
      run.next.counts.user = there.size;
      work.save();
    },
  };
}

const cursorSchema = z.strictObject({ after: z.string() });

/** The custom emojis of the workspace, with their pictures. */
export function emojisStage(open: (run: Work["run"]) => Work): BackupStage {
  return {
    id: "emojis",
    optional: { kind: "emoji", path: recordPaths.emojis, prefixes: [recordPaths.emojis] },
    async *run(run, cursor) {
      const work = open(run);
      const { after } = readCursor(cursorSchema, cursor) ?? { after: "" };
      const call = {
        method: "GET",
        path: paths.emojis,
        about: "the custom emojis of this workspace",
      } as const;
      const read = () => readAll(work.client, call, emojisSchema);
      const there = new Set<string>();
      for (const emoji of sortedById(await read())) {
        const path = recordPaths.emoji(emoji.id);
        const picture = recordPaths.file(path.slice(0, path.lastIndexOf("/") + 1), "icon");
        for (const each of [path, picture]) there.add(each);
        if (emoji.id <= after) continue;
        const known = await work.previous?.find(path);
        const old = new Map(known ? storedFiles(await work.previous!.readRecord(path)) : []);
        if (old.size > 0) work.count("file", -old.size);
        const fileOf = (url: string) => ({
          ...{ path: picture, url, address: unsigned(url), name: emoji.name, expiresAt: null },
        });
        const refresh = async () =>
          (await read()).flatMap(({ id, url }) => (id === emoji.id ? [fileOf(url)] : []));
        const lost = yield* backUpFiles(work, { files: [fileOf(emoji.url)], old, parent: path, refresh });
        const { url, ...facts } = emoji;
        const file = { address: unsigned(url), path: lost.has(picture) ? null : picture };
        if (lost.has(picture) && old.size > 0) yield { type: "drop", path: picture };
        const value = recordForm({ ...facts, url: unsigned(url), type: "file", file });
        yield { type: "record", path, kind: "emoji", title: emoji.name, value };
        if (work.isDue()) yield work.point({ after: emoji.id });
      }
      yield* dropOthers(work, recordPaths.emojis, there);
      run.next.counts.emoji = [...there].filter((path) => path.endsWith("/emoji.json")).length;
      work.save();
    },
  };
}

async function* dropOthers(
  work: Work,
  prefix: string,
  there: ReadonlySet<string>,
): AsyncGenerator<BackupEvent, void> {
  for await (const { path, kind } of work.previous?.list(prefix) ?? []) {
    if (there.has(path)) continue;
    yield { type: "drop", path };
    if (kind === "file") work.count(kind, -1);
  }
}

const sortedById = <T extends { id: string }>(all: readonly T[]): T[] =>
  all.toSorted((one, other) => (one.id < other.id ? -1 : 1));
