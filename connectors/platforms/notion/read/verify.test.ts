import { expect, test } from "vitest";
import { UnreadableCursorError } from "#core/kernel/stored-json.ts";
import { runVerify, WHOLE_CHECK } from "#tests/conformance/memory-snapshot.ts";
import { recordPaths } from "../record-paths.ts";
import { pageHome } from "./homes.ts";
import { id, TestVersion } from "./test-version.ts";
import { verify } from "./verify.ts";

const fileAt = (path: string | null) => ({ type: "file", file: { address: "https://f.example/a", path } });

test("a file that a record names and the version lacks is a problem; one that is known to be missing is not", async () => {
  const home = pageHome(id(1)).path;
  const [kept, lost] = [recordPaths.file(home, id(50)), recordPaths.file(home, "cover")];
  const version = new TestVersion().page(
    id(1),
    "Page",
    [
      { type: "image", facts: fileAt(kept) },
      { type: "pdf", facts: fileAt(null) },
    ],
    { facts: { cover: fileAt(lost) } },
  );
  version.stream(kept, "a.png", "bytes");
  const snapshot = await version.take();
  expect((await runVerify(snapshot, verify(snapshot, WHOLE_CHECK))).problems).toEqual([
    `${recordPaths.page(home)}: It names a file that this version does not hold: ${lost}`,
  ]);
});

test("a check goes on where it stopped", async () => {
  const version = new TestVersion();
  for (let at = 1; at <= 450; at += 1) version.page(id(at), "Page", [], { facts: { cover: fileAt("gone") } });
  const snapshot = await version.take();
  const { checkpoints, problems } = await runVerify(
    snapshot,
    verify(snapshot, { ...WHOLE_CHECK, isOver: () => true }),
  );
  expect([checkpoints.length, problems.length]).toEqual([2, 450]);
  const rest = await runVerify(snapshot, verify(snapshot, { ...WHOLE_CHECK, cursor: checkpoints[0]! }));
  expect(rest.problems).toEqual(problems.slice(200));
  await expect(
    runVerify(snapshot, verify(snapshot, { ...WHOLE_CHECK, cursor: { version: 9 } })),
  ).rejects.toThrow(UnreadableCursorError);
});
