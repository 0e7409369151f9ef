/**
 * Lines of a ZIP's README: how to open, publish and check the bare repository `NAME.git` next to it.
 *
 * @param refused What the platform refuses in a push, as a sentence without brackets: "GitHub refuses refs/pull/*"
 */
export function cloneHelp({
  name,
  lfsCount,
  refused,
}: {
  name: string;
  lfsCount: number;
  refused: string;
}): string[] {
  return [
    "How to open it",
    `  git clone ${name}.git my-copy`,
    "  (needs git and nothing else; all branches are there as origin/...)",
    ...(lfsCount > 0
      ? [
          `  (with git-lfs installed: git clone "file://$PWD/${name}.git" my-copy, so that it finds the files)`,
        ]
      : []),
    "",
    "How to bring it to any git server",
    `  cd ${name}.git && git push --mirror https://example.com/new-empty-repository.git`,
    `  (${refused}; everything else arrives)`,
    "",
    "How to check it",
    `  cd ${name}.git && git fsck --full`,
  ];
}
