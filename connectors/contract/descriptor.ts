/** Facts about a platform that the browser may know. Nothing here may import server code. */
export type PlatformDescriptor = {
  /** The folder's name; the id on every wire. */
  id: string;
  /** The name shown, e.g. "GitHub". */
  label: string;
  /** The platform's web address, for the Visit button, when it is not part of an item. */
  homeUrl: string;
  /** Kinds of item in display order. The first is the default one. */
  itemKinds: readonly ItemKind[];
  supports: {
    /** Items live in places (user, organisations) that are added one by one. */
    places: boolean;
    /**
     * A restore may choose the place it goes to: one of those that were added, or, where none are, any of the account's,
     * its own unless another is chosen.
     */
    restoreToPlace: boolean;
    /** History shows the incremental size column (spec part 2 section 2: hidden for git platforms). */
    incrementalSize: boolean;
    /** A version can be opened with `git clone` through a signed address. */
    gitClone: boolean;
  };
  limits: {
    /** Longest name of a restored item, in characters (spec/README: 100). */
    restoredNameLength: number;
    /**
     * What else the platform asks of the name of a restored item of its first kinds, and the sentence shown when it is
     * broken. Second kinds (`isSub`) carry titles, which are free.
     */
    restoredNameRule?: NameRule;
    /** A subscription for more items than this is changed with us, not by its owner alone (spec part 2 section 7). */
    editableItems: number;
  };
};

export type ItemKind = {
  /** Id on the wire and in the ledger, e.g. "repository". */
  id: string;
  one: string;
  many: string;
  /** A restored one gets no name of its own: forms show N/A and do not ask (spec P-251). */
  isUnnamed?: true;
  /** Query value `type=sub` of the history page marks the second kind of a platform (spec P-028). */
  isSub: boolean;
};

/** `pattern` is the source of a regular expression that a whole name must match. */
export type NameRule = { pattern: string; message: string };

/** Declares a descriptor; the compiler checks the shape and keeps the literal types. */
export function definePlatform<const D extends PlatformDescriptor>(descriptor: D): D {
  return descriptor;
}
