import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import { backUpRepository } from "#connectors/toolkit/git/repository/back-up-repository.ts";
import { hasRepository } from "#connectors/toolkit/git/repository/git-chain.ts";
import { type BackupStage, isOutOfReach, type StagesRun } from "#connectors/toolkit/records/run-stages.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { githubClient, githubRemote, wikiName } from "../client.ts";
import { GIT, gitPlatform, WIKI, wikiPlatform } from "../git-platform.ts";
import { getRepository } from "../inventory.ts";
import { repositoryRecordSchema } from "../read/repository-record.ts";
import { openRepository } from "./repository-run.ts";

/** The repository's own git data, and the Git LFS files that its history names. */
export const gitStage: BackupStage = { id: "git", takesEveryPoint: true, run: backUpGit };

/** The wiki, which is a separate git repository. It exists only once the wiki has a page. */
export const wikiStage: BackupStage = {
  id: "wiki",
  takesEveryPoint: true,
  optional: { kind: "wiki", path: "wiki", prefixes: [WIKI] },
  run: backUpWiki,
};

async function* backUpGit(run: StagesRun, cursor: Json | null): AsyncGenerator<BackupEvent> {
  const { session, order } = run;
  const { previous, item } = order;
  const remote = githubRemote(session, item.fullName);
  const { sizeHintBytes } = item;
  try {
    const lfs = { isLikely: () => tracksLfsFiles(run) };
    const place = { platform: gitPlatform, remote, prefix: GIT, lfs };
    yield* backUpRepository({ ...place, previous, cursor, sizeHintBytes });
  } catch (error) {
    throw await explainMissing(run, error);
  }
}

/** A file as the contents API returns it: Base64 with line breaks. */
const fileSchema = z
  .object({ type: z.literal("file"), content: z.string().transform(withoutSpaces).pipe(z.base64()) })
  .nullable()
  .catch(null);

function withoutSpaces(text: string): string {
  return text.replace(/\s/g, "");
}

/**
 * Whether `.gitattributes`, which `git lfs track` writes, names LFS on the default branch. GitHub does not report what
 * a repository has in LFS. Returns true if the file exists but cannot be read this way.
 */
async function tracksLfsFiles(run: StagesRun): Promise<boolean> {
  const { client, getOne } = openRepository(run);
  try {
    const file = await client.request(getOne("/contents/.gitattributes", "the git attributes"), fileSchema);
    return file === null || atob(file.content).includes("filter=lfs");
  } catch (error) {
    if (isOutOfReach(error)) return false;
    throw error;
  }
}

/**
 * Git may return "not found" for missing access. REST tells the two apart: it throws `gone` for a deleted repository. A
 * repository that REST still shows must not count as deleted.
 */
async function explainMissing({ session, order }: StagesRun, error: unknown): Promise<unknown> {
  if (!(error instanceof ConnectorError) || error.kind !== "gone") return error;
  await getRepository(githubClient(session), order.item);
  const message = `GitHub shows this repository but not its git data. ${error.message}`;
  return new ConnectorError("forbidden", message, { status: error.status ?? undefined, cause: error });
}

/** A wiki's git repository exists from the first page on. GitHub hides it while the wiki is switched off. */
async function* backUpWiki({ session, order }: StagesRun, cursor: Json | null): AsyncGenerator<BackupEvent> {
  const { previous, item } = order;
  const parsed = repositoryRecordSchema.safeParse(item.details);
  const isOff = parsed.success && parsed.data.features.wiki === false;
  if (!isOff) {
    const remote = githubRemote(session, wikiName(item.fullName));
    try {
      const order = { platform: wikiPlatform, remote, prefix: WIKI, previous, cursor, sizeHintBytes: null };
      yield* backUpRepository(order);
      return;
    } catch (error) {
      if (!(error instanceof ConnectorError) || error.kind !== "gone") throw error;
    }
  }
  if (previous === null || !(await hasRepository(previous, WIKI))) return;
  const reason = `The previous version holds a wiki. ${
    isOff
      ? "It is switched off now, so GitHub does not show its pages."
      : "GitHub shows none any more: it was deleted."
  }`;
  yield { type: "skipped", path: "wiki", kind: "wiki", reason };
}
