import { useEffect, useState } from "react";
import { fetchFile } from "#app/api/transport.ts";
import { PASSWORD_RULES, STRENGTH_RULE } from "#core/accounts/password.schema.ts";
import { strengthFrom, WORD_LISTS_PATH } from "#core/accounts/password-strength.schema.ts";

export type CheckedRule = { text: string; isMet: boolean };
export type PasswordCheck = { rules: CheckedRule[]; isGood: boolean };

/** The rule that password recovery hides. The rule on other characters still rejects spaces (spec A-326). */
const SPACES = "No spaces" satisfies (typeof PASSWORD_RULES)[number]["text"];

const loadStrength = strengthFrom(() => fetchFile(WORD_LISTS_PATH));

/** Judges a password with the word lists; null while they load, "lost" when loading failed. */
type Judge = ((password: string) => boolean) | "lost" | null;

/**
 * Checks the typed password against the rules. The word lists are loaded with the first keystroke. Without them, that
 * rule stays open and only the server checks it.
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

/** The rules with their results, and whether all are met. An empty password meets none. */
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
