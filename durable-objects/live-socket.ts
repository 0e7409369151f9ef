import { z } from "zod";

/** Header in which the live door tells the hub whose socket it forwards. The door strips what a client sends. */
export const SOCKET_HEADER = "x-holdfast-socket";

/** Whose socket this is and what it may see. Kept with the socket, so it survives hibernation. */
export const socketOwnerSchema = z.object({
  userId: z.string().min(1).max(200),
  /** Id of the session, never its token. */
  sessionId: z.string().min(1).max(200),
  /** Platforms whose events this person may receive. */
  platforms: z.union([z.literal("all"), z.array(z.string()).max(100)]),
});

export type SocketOwner = z.infer<typeof socketOwnerSchema>;

/** Reads the header of a forwarded upgrade; null when it is missing or malformed. */
export function parseSocketOwner(header: string | null): SocketOwner | null {
  if (header === null) return null;
  try {
    const owner = socketOwnerSchema.safeParse(JSON.parse(decodeURIComponent(header)));
    return owner.success ? owner.data : null;
  } catch (cause) {
    if (cause instanceof SyntaxError || cause instanceof URIError) return null;
    throw cause;
  }
}

/** The owner as header text; percent-encoded because a header carries no characters outside Latin-1. */
export function formatSocketOwner(owner: SocketOwner): string {
  return encodeURIComponent(JSON.stringify(owner));
}

/** True when the owner of the socket may see events of the platform. */
export function maySee(owner: Pick<SocketOwner, "platforms">, platform: string): boolean {
  return owner.platforms === "all" || owner.platforms.includes(platform);
}

/** Tags by which the hub finds the sockets of a person or of a session. */
export const socketTags = {
  user: (userId: string) => `user:${userId}`,
  session: (sessionId: string) => `session:${sessionId}`,
};
