/** What the signed-in frame shows around every screen. */
export type ShellView = {
  member: { userId: string; name: string; email: string; timeZone: string; isOwner: boolean };
  /** Platforms that the member may use and that are connected, in registry order. */
  platforms: { id: string; label: string; accountName: string; isRevoked: boolean }[];
  /** Server time in epoch ms; pages reckon with it until their own clock ticks. */
  now: number;
  /** The rail is folded to its icons. */
  isCollapsed: boolean;
};

/** Cookie that remembers the folded rail. */
export const RAIL_COOKIE = "rail=min";
