import { safeNames } from "#core/exports/index.ts";

/**
 * Returns the path of a version's copy below the Holdfast folder: `GitHub/octo-org/api/api 2026-11-22 04.10.09
 * k3f9ab.zip`. It shows platform, item and UTC time to people; the last characters of the version's id distinguish two
 * versions of the same second. A pure function, so a restarted run writes the same file.
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

/** Shortens one part of a path and removes slashes. */
function oneName(text: string): string {
  const short = [...text.replaceAll("/", "_").trim()].slice(0, 60).join("").trim();
  return short === "" ? "unnamed" : short;
}
