import { z } from "zod";

/**
 * The header in which the `/ws` route tells the hub who owns the socket. The route removes any value that the client
 * sends.
 */
export const SOCKET_HEADER = "x-holdfast-socket";

/** The owner of a socket and what it may see. Stored with the socket, so it survives hibernation. */
export const socketOwnerSchema = z.object({
  userId: z.string().min(1).max(200),
  /** The session's id, never its token. */
  sessionId: z.string().min(1).max(200),
  /** The platforms whose events this user may receive. */
  platforms: z.union([z.literal("all"), z.array(z.string()).max(100)]),
});

export type SocketOwner = z.infer<typeof socketOwnerSchema>;

/** Parses the header of a forwarded upgrade request. Returns null when it is missing or malformed. */
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

/** The owner as a header value. It is percent-encoded because headers cannot carry characters outside Latin-1. */
export function formatSocketOwner(owner: SocketOwner): string {
  return encodeURIComponent(JSON.stringify(owner));
}

/** True when the socket's owner may see events of the platform. */
export function maySee(owner: Pick<SocketOwner, "platforms">, platform: string): boolean {
  return owner.platforms === "all" || owner.platforms.includes(platform);
}

/** Tags that the hub uses to find the sockets of a user or session. */
export const socketTags = {
  user: (userId: string) => `user:${userId}`,
  session: (sessionId: string) => `session:${sessionId}`,
};
