import { useEffect, useState } from "react";
import { PASSWORD_RULES, STRENGTH_RULE } from "#core/accounts/password.schema.ts";
import { loadStrength } from "#core/accounts/password-strength.schema.ts";

export type CheckedRule = { text: string; isMet: boolean };
export type PasswordCheck = { rules: CheckedRule[]; isGood: boolean };

/** The line that password recovery leaves out; the rule on other characters still refuses spaces (spec A-326). */
const SPACES = "No spaces" satisfies (typeof PASSWORD_RULES)[number]["text"];

/** How the word lists judge a password; null while they are on their way, "lost" when they did not arrive. */
type Judge = ((password: string) => boolean) | "lost" | null;

/**
 * Holds what is typed against the rules of a new password. The word lists are fetched with the first key; without them
 * that rule stays open and the server alone decides it.
 */
export function usePasswordCheck(password: string, { hidesSpaces = false } = {}): PasswordCheck {
  const [judge, setJudge] = useState<Judge>(null);
  const isTyped = password !== "";
  useEffect(() => {
    if (!isTyped) return;
    let isHere = true;
    loadStrength().then(
      (strength) => isHere && setJudge(() => (text: string) => strength(text)),
      () => isHere && setJudge("lost"),
    );
    return () => {
      isHere = false;
    };
  }, [isTyped]);
  return checkPassword(password, judge, { hidesSpaces });
}

/** The rules and whether all are kept. Nothing typed keeps no rule. */
export function checkPassword(
  password: string,
  judge: Judge,
  { hidesSpaces }: { hidesSpaces: boolean },
): PasswordCheck {
  const isTyped = password !== "";
  const rules: CheckedRule[] = PASSWORD_RULES.map(({ text, holds }) => ({
    text,
    isMet: isTyped && holds(password),
  }));
  const isKept = rules.every(({ isMet }) => isMet);
  const isStrong = typeof judge === "function" && isTyped && judge(password);
  return {
    rules: [
      ...rules.filter(({ text }) => !hidesSpaces || text !== SPACES),
      { text: STRENGTH_RULE.text, isMet: isStrong },
    ],
    isGood: isKept && (isStrong || judge === "lost"),
  };
}
