/**
 * `npm run live-check -- github` asks the real service the questions of docs/live-check.md that a program can ask, with a
 * token from the environment. It makes a scratch item and deletes it again. It ends with 1 if an answer differs from what
 * we believe, or if something was left behind.
 */
import { checks } from "./checks.ts";
import { runLiveCheck } from "./live-check.ts";

const [platform = ""] = process.argv.slice(2);
const check = checks[platform];

if (check === undefined) {
  console.error(`Name a platform: npm run live-check -- ${Object.keys(checks).join(" | ")}`);
  process.exitCode = 1;
} else {
  try {
    const { asked, differing, isClean } = await runLiveCheck(check, process.env, console.log);
    console.log(`${asked} questions to ${check.label}, ${differing} answers differ from what we believe.`);
    if (differing > 0 || !isClean) process.exitCode = 1;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
