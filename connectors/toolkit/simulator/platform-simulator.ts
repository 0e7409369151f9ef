/** How `npm start` and tests start the simulator of any platform. */
export type SimulatorOrder = {
  /** The port of the first listener; others use the following ports. 0 = any free ports. */
  port: number;
  /** Keeps all data across restarts. Absent = a temporary folder. */
  directory?: string;
  /** `people` omits the items, which starts faster. */
  seed?: "demo" | "people";
  /** Folder of extra bare repositories `OWNER/NAME.git`, for platforms that host git. */
  gitRoot?: string;
};

/** A running simulator. `vars` are the settings that point the product at it. */
export type RunningSimulator = { url: string; vars: Record<string, string>; stop(): Promise<void> };

/** Starts the simulator of a platform. */
export type StartSimulator = (order: SimulatorOrder) => Promise<RunningSimulator>;
