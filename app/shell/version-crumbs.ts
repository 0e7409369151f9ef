import { shellCopy } from "#app/copy/shell.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import type { CrumbHandle } from "./crumbs.ts";

/** Crumbs of a page about a version's content: platform, item, and the page's own label. */
export function versionCrumbs(
  label: string,
): CrumbHandle<{ itemName: string; itemId: string; connectionId: string }> {
  return {
    crumbs: (data, { platform = "" }) => [
      { label: shellCopy.integrations },
      {
        label: descriptors.find(({ id }) => id === platform)?.label ?? platform,
        to: `/platform/dashboard/${platform}${data ? `?account=${encodeURIComponent(data.connectionId)}` : ""}`,
      },
      ...(data
        ? [
            {
              label: data.itemName,
              to: `/platform/backups/${platform}?id=${encodeURIComponent(data.itemId)}`,
            },
          ]
        : []),
      { label },
    ],
  };
}
