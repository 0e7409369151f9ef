/** The place in this browser where the choice is kept. */
const STORED = "single-keys";

/** True while shortcuts of single keys are on. Assistive software that types letters needs them off (WCAG 2.1.4). */
export function hasSingleKeys(): boolean {
  return localStorage.getItem(STORED) !== "off";
}

/** Turns the shortcuts of single keys on or off in this browser. */
export function setSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(STORED);
  else localStorage.setItem(STORED, "off");
}
