import { describe } from "vitest";
import { describePlatformConnector } from "#tests/conformance/describe-platform-connector.ts";
import { openNotionConformance } from "./conformance-world.ts";
import { connector } from "./connector.ts";

describe("workspaces", () => describePlatformConnector(connector, { open: openNotionConformance }));
