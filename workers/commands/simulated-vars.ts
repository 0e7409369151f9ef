/** The addresses and settings of the simulated outside world, as `tests/simulators/serve.ts` prints them. */
export type OutsideWorld = {
  /** The inbox, which takes every mail. */
  mailUrl: string;
  /** Every other service, with the settings that make the product use it, by the names of the environment. */
  services: Record<string, Record<string, string>>;
};

/**
 * The settings of what is simulated. A service of which `.dev.vars` names anything is the real one, whole: half of
 * each would be neither.
 */
export function simulatedVars(
  { mailUrl, services }: OutsideWorld,
  own: ReadonlySet<string>,
): Record<string, string> {
  const groups = [{ MAIL_URL: mailUrl }, ...Object.values(services)];
  const simulated = groups.filter((vars) => !Object.keys(vars).some((name) => own.has(name)));
  return Object.assign({}, ...simulated) as Record<string, string>;
}
