import type { Json } from "#core/kernel/canonical-json.ts";
import type { Session } from "./session.ts";
import type { SnapshotView } from "./snapshot-view.ts";

/** A person whose name we hold, by the platform's id of the account. */
export type HeldPerson = {
  externalId: string;
  /** No copy of the name that newest versions have was read before this time, in epoch ms. */
  readAt: number;
};

/** What the platform says about a person: the account was closed, or its profile changed since we read it. */
export type PersonNews = { externalId: string; state: "closed" | "changed" };

/**
 * For a platform that wants to be told whose names we hold, and answers whose names have to go. The engine asks for news
 * about the people of the newest versions and hands them to the next backups (`BackupOrder.peopleNews`).
 */
export interface PeopleReporting {
  /** The most people that one report may name. */
  mostAtOnce: number;
  /**
   * The people whose names a version holds, each once, by their ids at the platform. A version may name somebody whom it
   * no longer holds, because earlier versions of the item still do. Nobody = the version may be of a release that did not
   * note them.
   */
  listPeople(snapshot: SnapshotView): AsyncIterable<string>;
  /** The person whose name is stored with the connection; null = none. Never throws. */
  ownerOf(connectionDetails: Json): string | null;
  /**
   * Tells the platform whose names we hold. News about others than those are not returned.
   * @throws ConnectorError `forbidden` when the connection's access does not cover reports
   */
  report(
    session: Session,
    people: readonly HeldPerson[],
  ): Promise<{ news: PersonNews[]; nextInDays: number }>;
  /** What the connection stores once there is news of its owner. @throws ConnectorError */
  renewOwner(session: Session, state: PersonNews["state"]): Promise<Json>;
}
