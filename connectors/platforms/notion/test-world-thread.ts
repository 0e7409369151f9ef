import { parentPort } from "node:worker_threads";
import { openNotionWorld } from "./test-world.ts";

/** A simulated Notion in a thread of its own, so that its memory is not that of a test which measures memory. */
const { config, accountName, connectionDetails, workspaceId, issueToken, happen, simulator, stop } =
  await openNotionWorld();
const { id: rootId } = await happen("pages", { title: "Large" });
parentPort?.on("message", async () => {
  await stop();
  parentPort?.close();
});
parentPort?.postMessage({
  ...{ config, accountName, connectionDetails, workspaceId, rootId, url: simulator.url },
  token: await issueToken(),
});
