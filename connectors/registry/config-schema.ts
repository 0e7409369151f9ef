import type { z } from "zod";
import type { ConnectorConfig } from "#connectors/contract/platform-connector.ts";

/** Parses a platform's part of the environment; unknown variables are left out. */
export type ConfigSchema = z.ZodType<ConnectorConfig>;
