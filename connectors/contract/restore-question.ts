/** A decision that a connector needs from the user before a restore. The form shows one field per question. */
export type RestoreQuestion =
  /** On or off. */
  | (Asked & { type: "switch"; default: boolean })
  /** One of several options. */
  | (Asked & {
      type: "choice";
      options: readonly { value: string; label: string; help?: string }[];
      /** null = the user must choose. */
      default: string | null;
    })
  /** A line of text; empty is allowed. */
  | (Asked & { type: "text"; maxLength: number; default: string })
  /** Maps each entity of the version to one of the target, e.g. columns. */
  | (Asked & {
      type: "matching";
      /** Names for the entities on both sides, e.g. "column" and "columns". */
      things: { one: string; many: string };
      /** Entities of the version, few enough for a form. `count` = what each contains. */
      left: readonly (MatchedThing & { count?: number })[];
      /** What `count` counts, e.g. "issue" and "issues"; absent = nothing is counted. */
      counted?: { one: string; many: string; isEstimate: boolean };
      /** Entities of the target. */
      right: readonly MatchedThing[];
      /** Proposed id on the right by id on the left; null = no match. */
      default: Readonly<Record<string, string | null>>;
      /** Ids on the left whose proposal is a guess that the user should check. */
      suggested: readonly string[];
      /** Each entity on the left must be matched or explicitly left out. */
      isRequired: boolean;
    });

type Asked = {
  /** Key of the answer; unique among the questions of a restore. */
  name: string;
  label: string;
  /** A sentence; may be empty. */
  help: string;
};

/** `note` is shown beside the label. */
export type MatchedThing = { id: string; label: string; note?: string };

/**
 * An answer: the state of a switch, the value of a choice, a text, or for a matching the ids on the right by ids on the
 * left. In a matching, null = explicitly left out; a missing id = undecided.
 */
export type RestoreAnswer = boolean | string | Readonly<Record<string, string | null>>;

/** Answers by question name. */
export type RestoreAnswers = Readonly<Record<string, RestoreAnswer>>;
