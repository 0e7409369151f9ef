/** A platform on a machine: its settings, and how it is simulated. */
export type PlatformSetup = {
  /** Complete sets of variables, each of which reaches the real platform. */
  settings: readonly (readonly string[])[];
  /** Absent = the platform cannot be simulated. */
  simulator?: {
    /**
     * The port of its first listener, counted from the product's own. Each offset belongs to one platform, so that
     * addresses stay when platforms are added. The generator refuses one that is taken.
     */
    offset: number;
    /** What listens on this port and on those that follow, e.g. "simulated GitHub". */
    listeners: readonly [string, ...string[]];
    /** The variable with the address of its web site. */
    address: string;
  };
};
