import { describe } from "vitest";
import { describePlatformConnector } from "#tests/conformance/describe-platform-connector.ts";
import { openJiraConformance } from "./conformance-world.ts";
import { connector } from "./connector.ts";

describe("projects", () => describePlatformConnector(connector, { open: openJiraConformance }));
