import type { ComponentType } from "react";

/** A platform's logo and guide, loaded by every screen. Browser code; no server import. */
export type PlatformUi = {
  /** The platform's logo in the current text colour, square, `size` pixels wide (default 20). Decorative. */
  Logo: ComponentType<{ size?: number }>;
  /** How to set up a place at the platform before it can be added. Absent = no set-up is needed. */
  placeGuide?: PlaceGuide;
  /** Texts about what is picked on the platform's consent page. Absent = a consent opens the whole account. */
  picking?: PickingWords;
};

/** About a consent that covers only what a person picks. */
export type PickingWords = {
  /** How to pick, for the owner of the organisation (spec P-018, P-019). */
  guide: PlaceGuide;
  /** Says above the list that what is made later is not covered by itself. It can be closed (spec P-243). */
  reminder: string;
  /** What the consent lets us read, for the app connector. */
  reads: string;
  /** What renewing a consent that works is for, in the app connector. */
  renews: string;
  /** Warns before the account is changed, by its name (spec P-230). */
  changeWarning: (account: string) => string;
};

/** Instructions, step by step. */
export type PlaceGuide = {
  /** Label of the button that opens the guide. */
  label: string;
  title: string;
  steps: readonly string[];
};

/** A platform's texts about restores. Separate from the logo, because the first load does not need them. */
export type RestoreWords = {
  /** A sentence: what a restore cannot do in a place with `restores: "partly"`. Absent = there are no such places. */
  partlyPlace?: string;
  /** Sentences: what a restore brings back, by item kind. */
  comesBack: Readonly<Record<string, readonly string[]>>;
  /** Sentences: what a restore cannot bring back and why, by item kind. */
  cannot: Readonly<Record<string, readonly string[]>>;
  /** Sentences: how a part is added to an existing item, by the kind of its entry. */
  addsPart?: Readonly<Record<string, string>>;
  /** Instructions for a restore, for those who may start one. Absent = none. */
  guide?: PlaceGuide;
  /** What opens the matching of one of several restores, e.g. "Assign issues". Absent = the question's label. */
  assign?: string;
  /** Why nothing of an item can be matched, by its type (`ItemMarks.typeKey`), and what happens instead. */
  unmatched?: Readonly<Record<string, { what: string; instead: string }>>;
  /** What a restore of several items counts for each, by its kind in the report. Absent = nothing. */
  counts?: { kind: string; label: string };
  /** What to do after a failed restore. Absent = the general hint. */
  failed?: string;
};
