/** The address of an item's history. */
export const itemPath = ({ platform, itemId }: { platform: string; itemId: string }) =>
  `/platform/backups/${platform}?id=${encodeURIComponent(itemId)}`;
