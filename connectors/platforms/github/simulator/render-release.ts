import type { Release, ReleaseAsset } from "./records.ts";
import { type Body, nodeId } from "./render.ts";
import { renderLogin, renderRollup, repositoryUrl } from "./render-issue.ts";
import { fullName } from "./repositories.ts";
import type { GithubWorld, Repository } from "./state.ts";

/** A release with its assets. */
export function renderRelease(world: GithubWorld, repository: Repository, release: Release): Body {
  const base = repositoryUrl(world, repository);
  const url = `${base}/releases/${release.id}`;
  const web = `${world.webUrl}/${fullName(repository)}/releases`;
  // A draft has no tag yet, so its URL has none.
  const tag = release.isDraft ? `untagged-${release.id.toString(16)}` : encodeURIComponent(release.tag);
  const upload = `${world.uploadUrl}/repos/${fullName(repository)}/releases/${release.id}/assets`;
  return {
    url,
    assets_url: `${url}/assets`,
    upload_url: `${upload}{?name,label}`,
    html_url: `${web}/tag/${tag}`,
    id: release.id,
    author: renderLogin(world, release.author),
    node_id: nodeId("RE", release.id),
    tag_name: release.tag,
    target_commitish: release.target,
    name: release.name,
    draft: release.isDraft,
    immutable: false,
    prerelease: release.isPrerelease,
    created_at: release.createdAt,
    updated_at: release.updatedAt,
    published_at: release.publishedAt,
    assets: release.assets.map((asset) => renderAsset(world, repository, release, asset)),
    tarball_url: release.isDraft ? null : `${base}/tarball/${release.tag}`,
    zipball_url: release.isDraft ? null : `${base}/zipball/${release.tag}`,
    body: release.body ?? "",
    ...(release.reactions.length > 0 ? { reactions: renderRollup(url, release.reactions) } : {}),
  };
}

/** An asset of a release. At GitHub, assets from before June 2025 have no digest; here all of them have one. */
export function renderAsset(
  world: GithubWorld,
  repository: Repository,
  release: Release,
  asset: ReleaseAsset,
): Body {
  const tag = release.isDraft ? `untagged-${release.id.toString(16)}` : encodeURIComponent(release.tag);
  const web = `${world.webUrl}/${fullName(repository)}/releases/download/${tag}`;
  return {
    url: `${repositoryUrl(world, repository)}/releases/assets/${asset.id}`,
    id: asset.id,
    node_id: nodeId("RA", asset.id),
    name: asset.name,
    label: asset.label ?? "",
    uploader: renderLogin(world, asset.uploader),
    content_type: asset.contentType,
    state: asset.isWhole ? "uploaded" : "open",
    size: asset.size,
    digest: asset.isWhole ? `sha256:${asset.sha256}` : null,
    download_count: asset.downloads,
    created_at: asset.createdAt,
    updated_at: asset.updatedAt,
    browser_download_url: `${web}/${encodeURIComponent(asset.name)}`,
  };
}
