/** URLs and settings of the simulated services, as printed by `tests/simulators/serve.ts`. */
export type OutsideWorld = {
  /** The inbox, which accepts every mail. */
  mailUrl: string;
  /** All other services, each with the environment variables that make the product use it. */
  services: Record<string, Record<string, string>>;
};

/**
 * The settings of the simulated services. A service with any variable in `.dev.vars` is the real one and gets no
 * simulated settings, because a mix of both would not work.
 */
export function simulatedVars(
  { mailUrl, services }: OutsideWorld,
  own: ReadonlySet<string>,
): Record<string, string> {
  const groups = [{ MAIL_URL: mailUrl }, ...Object.values(services)];
  const simulated = groups.filter((vars) => !Object.keys(vars).some((name) => own.has(name)));
  return Object.assign({}, ...simulated) as Record<string, string>;
}
