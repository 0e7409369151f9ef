/** What `npm start` and `npm run doctor` know about a platform: its settings, and how it is simulated. */
export type PlatformSetup = {
  /** Complete sets of variables, each of which reaches the real platform. */
  settings: readonly (readonly string[])[];
  /** Absent = the platform cannot be simulated. */
  simulator?: {
    /**
     * Its listeners. `offset` counts from the product's own port and belongs to this platform alone, so that addresses
     * stay when platforms are added.
     */
    listeners: readonly { offset: number; what: string }[];
    /** The variable with the address of its web site. */
    address: string;
  };
};
