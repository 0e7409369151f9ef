import { safeNames } from "#core/exports/index.ts";

/**
 * Where the copy of a version lies below the Holdfast folder: `GitHub/octo-org/api/api 2026-11-22 04.10.09 k3f9ab.zip`. It
 * names platform, item and UTC time for people; the version's own letters keep two of one second apart. A pure function, so
 * a run that begins anew writes the same file.
 */
export async function copyPath(version: {
  platform: string;
  item: { name: string; fullName: string };
  snapshotId: string;
  takenAt: number;
}): Promise<string> {
  const stamp = new Date(version.takenAt).toISOString().slice(0, 19).replace("T", " ").replaceAll(":", ".");
  const file = `${oneName(version.item.name)} ${stamp} ${version.snapshotId.slice(-6)}.zip`;
  const folders = version.item.fullName.split("/").map(oneName);
  const { names } = await safeNames([[oneName(version.platform), ...folders, file].join("/")]);
  return names[0]!;
}

/** One part of a path: short, and without a slash of its own. */
function oneName(text: string): string {
  const short = [...text.replaceAll("/", "_").trim()].slice(0, 60).join("").trim();
  return short === "" ? "unnamed" : short;
}
