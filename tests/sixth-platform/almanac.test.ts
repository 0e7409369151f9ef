import { describePlatformConnector } from "#tests/conformance/describe-platform-connector.ts";
import { openAlmanacConformance } from "./almanac/conformance-world.ts";
import { connector } from "./almanac/connector.ts";

describePlatformConnector(connector, { open: openAlmanacConformance });
