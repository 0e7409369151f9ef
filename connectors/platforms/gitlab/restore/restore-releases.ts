import type { RestoreEvent, Session } from "#connectors/contract/platform-connector.ts";
import { quieten } from "#connectors/toolkit/records/quote.ts";
import { LARGEST_PAGE, paths } from "../client.ts";
import { releaseSchema, releasesSchema } from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";
import { gitlabDialect } from "./quote-gitlab.ts";
import type { TextsRestore } from "./restore-io.ts";
import { attempt } from "./restore-refusal.ts";

/** Restores the releases of restored tags, with their dates, milestones and links. */
export async function* restoreReleases(
  { client, snapshot, projectId, session, rewrite }: TextsRestore & { session: Session },
  milestones: ReadonlyMap<string, number>,
): AsyncGenerator<RestoreEvent> {
  const path = paths.releases(projectId);
  const list = { method: "GET", path, query: { per_page: LARGEST_PAGE }, about: "the new releases" } as const;
  const there = new Set<string>();
  for await (const one of client.members(list, releasesSchema, (release) => release.tag_name))
    there.add(one.tag_name);
  const dialect = gitlabDialect(session.config);
  let count = 0;
  for await (const entry of snapshot.list(recordPaths.releases)) {
    const source = releaseSchema.parse(await snapshot.readRecord(entry.path));
    const titles = (source.milestones ?? [])
      .map(({ title }) => title)
      .filter((title) => milestones.has(title));
    const links = (source.assets?.links ?? []).map(({ name, url, link_type, direct_asset_url }) => ({
      name,
      url,
      ...(link_type ? { link_type } : {}),
      ...directPath(direct_asset_url),
    }));
    const body = {
      tag_name: source.tag_name,
      name: source.name || source.tag_name,
      description: quieten(rewrite(source.description ?? ""), dialect),
      ...(source.released_at ? { released_at: source.released_at } : {}),
      ...(titles.length > 0 ? { milestones: titles } : {}),
      ...(links.length > 0 ? { assets: { links } } : {}),
    };
    const about = `the release ${source.tag_name}`;
    const create = () => client.send({ method: "POST", path, body, about, missing: "forbidden" });
    if (there.has(source.tag_name) || (yield* attempt(`Release ${source.tag_name}`, create))) count += 1;
  }
  if (count > 0) yield { type: "restored", kind: "release", count };
}

/**
 * The path below the release's own address that leads to a link's target. GitLab takes it as `direct_asset_path` and
 * shows it only as a part of `direct_asset_url` (docs.gitlab.com: release links API).
 */
function directPath(url: string | null | undefined): { direct_asset_path?: string } {
  const address = url ?? "";
  const home = /\/-\/releases\/[^/?#]+\/downloads(?=\/)/.exec(address);
  return home === null ? {} : { direct_asset_path: address.slice(home.index + home[0].length) };
}
