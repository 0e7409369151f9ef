import type { Facts } from "#connectors/contract/row-facts.ts";
import type { Region } from "#core/kernel/platform-id.ts";

/** A connected platform account as members see it. */
export type ConnectionView = {
  id: string;
  platform: string;
  externalId: string;
  name: string;
  /** The name of the person or company that has the account; null if the platform does not provide it. */
  fullName: string | null;
  /** The platform's own type. */
  accountType: string;
  region: Region;
  status: "active" | "revoked";
  /** Why it is revoked: the token is refused, or the platform's app was removed; null = it works. */
  lostReason: "token" | "app" | null;
  isAutoAdd: boolean;
  /** False while its code has not been entered. */
  isConfirmed: boolean;
  /** The account whose grant is used. */
  grantName: string;
  createdAt: number;
  /** The people whom the platform's plan counts, as they were read last. Absent = the plan counts items. */
  seats?: SeatReading;
  /**
   * Why we could not report whose names the backups hold, in a sentence for the user; null = we could, or have not tried. Absent
   * = the platform wants no report.
   */
  peopleProblem?: string | null;
  /** Its credentials by method, the preferred one first. Empty when the platform has one method only. */
  credentials: { authMethod: string; isWorking: boolean }[];
  /** Members that only this platform's rows have on the public API. */
  facts: Facts;
};

/** How many people of an account the platform's plan counts, as it was read last. */
export type SeatReading = {
  /** Null = it was never read. */
  count: number | null;
  /** Epoch ms. */
  readAt: number | null;
  /** Why the last reading failed, in a sentence for the user; null = it did not. `count` is then that of `readAt`. */
  problem: string | null;
};

/** A place whose items may be protected. */
export type PlaceView = {
  id: string;
  connectionId: string;
  externalId: string;
  name: string;
  /** The platform's own type. */
  type: string;
  /** True = the connected account's own place. */
  isOwn: boolean;
  /** What a restore may do there; absent = everything. */
  restores?: "partly" | "no";
  /** Members that only this platform's rows have on the public API. */
  facts: Facts;
};

/** A place that can be added. */
export type AvailablePlaceView = Pick<PlaceView, "externalId" | "name" | "type" | "facts">;

/** The accounts of an authorisation that the person may choose from. */
export type ChoiceView = {
  candidates: {
    externalId: string;
    name: string;
    /** Distinguishes accounts of the same name; null = nothing. */
    note: string | null;
    isConnected: boolean;
  }[];
  /** True when only one may be chosen, because it replaces a connected account. */
  isOne: boolean;
};
