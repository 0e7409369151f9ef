/** Facts about a platform that the browser may know. Nothing here may import server code. */
export type PlatformDescriptor = {
  /** The folder's name, and the platform's id in every API. */
  id: string;
  /** The name shown, e.g. "GitHub". */
  label: string;
  /** What a version holds, in one line for somebody who chooses what to protect. */
  summary: string;
  /** URL of the platform's website, for links such as Visit that do not point to an item. */
  homeUrl: string;
  /** Kinds of item in display order. The first is the default one. */
  itemKinds: readonly ItemKind[];
  /** Labels for the types of accounts and places. A type without a label is shown unchanged. */
  typeWords?: Readonly<Record<string, string>>;
  /** What names an account: the login of a user, without spaces (spec P-268), or a title with them. Default: a login. */
  accountNames?: "logins" | "titles";
  /**
   * What an account is called where it is the consent of one person, e.g. "Workspace owner". The account select then has
   * this name, is there for a single account too, and shows the person's username and e-mail. Absent = "Account".
   */
  accountWord?: string;
  /**
   * The ways in which an account grants access, the preferred one first. A connection has a credential for each that
   * was granted. Absent = one way, `DEFAULT_AUTH_METHOD`.
   */
  authMethods?: readonly AuthMethod[];
  supports: {
    /** Items live in places (user, organisations) that are added one by one. */
    places: boolean;
    /**
     * The user can choose the place a restore goes to: one of the added places or, without added places, any place of
     * the account. The default is then the account's own place.
     */
    restoreToPlace: boolean;
    /** What can be restored, and into which targets. */
    restores: {
      /** Targets of a whole version; the first is the default. */
      whole: readonly RestoreTargetKind[];
      /** What can be restored by itself of an item of the first kind, and its targets; null = nothing. */
      parts: {
        /** Kinds of entries, each with everything below it. */
        kinds: readonly string[];
        /** Kinds whose records can be restored together. */
        sets?: readonly string[];
        /** Ids of views of files whose files and folders can be restored. */
        files?: readonly string[];
        into: readonly RestoreTargetKind[];
      } | null;
      /**
       * Checks the answers against the questions before a restore is queued. Set it when a question has no default or
       * limits a text. Otherwise only the restore itself reads the answers, and a request opens no version.
       */
      needsAnswers?: true;
    };
    /** History shows the incremental size column (spec part 2 section 2: hidden for git platforms). */
    incrementalSize: boolean;
    /** A version can be opened with `git clone` through a signed address. */
    gitClone: boolean;
    /**
     * An account is one item, and a person picks on the platform's consent page what of it is covered. Accounts and items
     * are added by the owner of the organisation only (spec P-302), and another consent of the same account covers what is
     * picked then (spec P-230).
     */
    itemPerConsent?: true;
    /**
     * The history shows what each version covers (spec P-101), and its rows name the version for it (spec P-161). Its
     * versions have a view of pages.
     */
    scope?: true;
    /** Each page and row of its views of pages can be downloaded as Markdown. */
    pageMarkdown?: true;
  };
  /** What is found by its name inside the newest versions. */
  names: {
    /** Kinds of entries whose titles are found, the most wanted first: a full index leaves out the last ones. */
    kinds: readonly string[];
    /** Ids of views of files whose paths are found after them, as the default branch has them. */
    files?: readonly string[];
  };
  /** What a round of daily backups asks of the platform. Absent = its quota is no bound that people would notice. */
  rounds?: RoundCost;
  limits: {
    /** Maximum length of a restored item's name, in characters (spec/README: 100). */
    restoredNameLength: number;
    /**
     * Another rule for the names of restored items of the first kinds, and the sentence shown when a name breaks it.
     * Second kinds (`isSub`) have titles, which have no rule.
     */
    restoredNameRule?: NameRule;
    /**
     * The owner cannot change a subscription for more items than this without contacting us (spec part 2 section 7).
     */
    editableItems: number;
  };
};

/** A way to grant access, e.g. a consent or an app inside the platform. */
export type AuthMethod = {
  id: string;
  /** Its name on screens, e.g. "Consent". */
  label: string;
  /** What it adds, shown before the consent. */
  text: string;
  /** It has no consent page: a person enters its token, or the installation of an app gives it. */
  isGiven?: true;
  /**
   * The installation of an app brings its token at intervals, and nobody can ask for one. Work waits for the next token when
   * the last one has expired. The access is lost when the installation falls silent.
   */
  isBrought?: true;
};

/** What a round of daily backups costs, when nothing changes. Changes and first backups come on top. */
export type RoundCost = {
  /** The quota that binds: so many requests in any window of `perMs`. */
  requests: number;
  perMs: number;
  /** Requests for one item of a kind: in most backups, and in the one of each `wholeDays` that reads everything. */
  kinds: Readonly<Record<string, { changes: number; whole: number; wholeDays: number }>>;
};

/** The method of a platform that declares none. */
export const DEFAULT_AUTH_METHOD = "default";

/** The ids of a platform's methods, the preferred one first. */
export function authMethodIds({ authMethods }: Pick<PlatformDescriptor, "authMethods">): readonly string[] {
  return authMethods?.map(({ id }) => id) ?? [DEFAULT_AUTH_METHOD];
}

/** A restore creates a new item or adds to an existing one. */
export type RestoreTargetKind = "new" | "existing";

export type ItemKind = {
  /** Id in the API and in the ledger, e.g. "repository". */
  id: string;
  one: string;
  many: string;
  /** A restored item has no name of its own: forms show N/A instead of a name field (spec P-251). */
  isUnnamed?: true;
  /** What a restore into a new one makes where it is no item of the kind, e.g. "page". */
  restoredAs?: string;
  /** Query value `type=sub` of the history page marks the second kind of a platform (spec P-028). */
  isSub: boolean;
};

/** `pattern` is the source of a regular expression that must match the whole name. */
export type NameRule = { pattern: string; message: string };

/** Declares a descriptor; the compiler checks the shape and keeps the literal types. */
export function definePlatform<const D extends PlatformDescriptor>(descriptor: D): D {
  return descriptor;
}
