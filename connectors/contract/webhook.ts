import type { ConnectorConfig } from "./session.ts";

/** What a platform delivered. Only a hint: it may be late, repeated or missing. */
export type Delivery =
  | {
      kind: "changed";
      /** Accounts that reach the item, as connections name them. */
      accountIds: readonly string[];
      itemExternalId: string;
    }
  /** Nothing that should make a backup come sooner. */
  | { kind: "other" }
  /** The platform asks whether the address is ours. The operator confirms it at the platform with this secret. */
  | { kind: "handshake"; secret: string }
  /** Not signed by the platform, or malformed. */
  | { kind: "forged" };

/** What a platform tells us by itself, at `POST /hooks/{platform}`. */
export interface PlatformWebhook {
  /** Verifies and reads a delivery. The signature is made over the raw bytes. Never throws. */
  readDelivery(config: ConnectorConfig, delivery: { headers: Headers; body: Uint8Array }): Promise<Delivery>;
}
