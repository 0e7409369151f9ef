import { watch } from "node:fs";
import { join } from "node:path";
import { buildScreens } from "./screens-build.ts";
import { ROOT } from "./tools.ts";

/** Rebuilds the screens when their sources change. wrangler rebuilds the Worker itself. */
export function rebuildOnChange({ say, signal }: { say: (text: string) => void; signal: AbortSignal }): void {
  let timer: NodeJS.Timeout | undefined;
  let building = Promise.resolve();
  const rebuild = async () => {
    say("Building the screens");
    await buildScreens().then(
      () => say("Built"),
      (cause: Error) => console.error(cause.message),
    );
  };
  for (const folder of ["app", "core", "connectors"]) {
    watch(join(ROOT, folder), { recursive: true, signal }, () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        building = building.then(rebuild);
      }, 200);
    });
  }
}
