import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";
import { bandLines, createPktSplitter, FLUSH, pktLine } from "#connectors/toolkit/simulator/pkt-line.ts";

/** Reads the ids of objects. Prints the LFS objects to which pointers among them refer. */
const POINTERS = `git cat-file --batch-check='%(objecttype) %(objectsize) %(objectname)' |
  awk '$1 == "blob" && $2 < 1024 { print $3 }' | git cat-file --batch |
  grep -aoE '^oid sha256:[0-9a-f]{64}' | cut -d: -f2 | sort -u`;

/**
 * Update hook that enforces GitHub's rules about the content of a push. git runs it per ref, with the new objects in
 * quarantine. A refusal writes its reason where `rewriteReport` finds it, because git itself would only report "hook
 * declined" where GitHub gives a reason.
 */
const UPDATE_HOOK = `#!/bin/sh
[ -e "$SIM_NOTES/nothing-new" ] && exit 0
ref=$1 new=$3
case $new in *[!0]*) ;; *) exit 0 ;; esac
refuse() {
  n=$(ls "$SIM_NOTES" | wc -l)
  printf '%s\\n%s' "$ref" "$1" > "$SIM_NOTES/$n"
  exit 1
}
if [ "$SIM_MAY_WRITE_WORKFLOWS" = no ]; then
  file=$(git log --format= --name-only --diff-filter=AM -m --first-parent "$new" --not --all -- .github/workflows | sed -n 1p)
  if [ -n "$file" ]; then
    refuse "refusing to allow $SIM_PUSHER to create or update workflow \\\`$file\\\` without $SIM_PUSHER_NEEDS"
  fi
fi
lost=
if [ ! -e "$SIM_NOTES/no-pointers" ]; then
  for oid in $(git rev-list --objects --no-object-names "$new" --not --all | ${POINTERS}); do
    [ -e "$SIM_LFS/$oid" ] || lost=$oid
  done
fi
if [ -n "$lost" ]; then
  cat >&2 <<TEXT
error: GH008: Your push referenced at least 1 unknown Git LFS object:
    $lost
Try to push them with 'git lfs push --all'.
TEXT
  refuse "pre-receive hook declined"
fi
if [ "$SIM_PUSH_PROTECTION" = on ]; then
  commit=$(git log --format=%H -G 'AKIA[0-9A-Z]{16}' "$new" --not --all | sed -n 1p)
  if [ -n "$commit" ]; then
    cat >&2 <<TEXT
error: GH013: Repository rule violations found for $ref.

- GITHUB PUSH PROTECTION
  ---------------------------------------------
    Resolve the following violations before pushing again

    - Push cannot contain secrets

      -- Amazon AWS Access Key ID --
       locations:
         - commit: $commit

TEXT
    refuse "push declined due to repository rule violations"
  fi
fi
exit 0
`;

/**
 * Refuses a push with a file above 100 MiB, as GitHub words it (docs: About large files on GitHub). Then checks once
 * whether it has any new object, and whether any is an LFS pointer. If it has none, its objects were already checked
 * when they arrived, and running the update hook's checks for thousands of refs would take hours.
 */
const PRE_RECEIVE_HOOK = `#!/bin/sh
tips=$(while read -r _ oid _; do case $oid in *[!0]*) echo "$oid" ;; esac; done)
new=$(echo "$tips" | git rev-list --objects --no-object-names --stdin --not --all) || exit 0
[ -n "$new" ] || { : > "$SIM_NOTES/nothing-new"; exit 0; }
large=$(echo "$new" | git cat-file --batch-check='%(objecttype) %(objectsize) %(objectname)' |
  awk -v most="$SIM_FILE_LIMIT" '$1 == "blob" && $2 > most { print $2, $3; exit }')
if [ -n "$large" ]; then
  name=$(echo "$tips" | git rev-list --objects --stdin --not --all | sed -n "s/^\${large#* } //p" | head -n 1)
  megabytes() { awk -v bytes="$1" 'BEGIN { printf "%.2f MB", bytes / 1048576 }'; }
  cat >&2 <<TEXT
error: Trace: \${large#* }
error: See https://gh.io/lfs for more information.
error: File $name is $(megabytes "\${large%% *}"); this exceeds GitHub's file size limit of $(megabytes "$SIM_FILE_LIMIT")
error: GH001: Large files detected. You may want to try Git Large File Storage - https://git-lfs.github.com.
TEXT
  exit 1
fi
[ -n "$(echo "$new" | ${POINTERS})" ] || : > "$SIM_NOTES/no-pointers"
exit 0
`;
const HOOKS = { "pre-receive": PRE_RECEIVE_HOOK, update: UPDATE_HOOK };

/** The folder with the hooks. Missing or outdated hooks are written. */
export function hooksDirectory(directory: string): string {
  const hooks = path.join(directory, "hooks");
  mkdirSync(hooks, { recursive: true });
  for (const [name, text] of Object.entries(HOOKS)) {
    const file = path.join(hooks, name);
    if (existsSync(file) && readFileSync(file, "utf8") === text) continue;
    writeFileSync(file, text);
    chmodSync(file, 0o755);
  }
  return hooks;
}

/**
 * Inserts the hook's reasons into the report of a push: `ng <ref> hook declined` becomes `ng <ref> <reason>`. The
 * report arrives on band 1 and is complete only at the end, so band 1 is held back until then.
 */
export async function* rewriteReport(body: Readable, notes: string): AsyncGenerator<Uint8Array> {
  const split = createPktSplitter();
  const report: Buffer[] = [];
  for await (const chunk of body) {
    for (const packet of split(chunk as Uint8Array)) {
      if (packet.length > 4 && packet[4] === 1) report.push(packet.subarray(5));
      else if (packet.length > 4 && (packet[4] === 2 || packet[4] === 3)) yield packet;
      else if (packet.length > 4) yield rewriteLine(packet, readReasons(notes));
      else if (report.length > 0) {
        const reasons = readReasons(notes);
        const lines = createPktSplitter()(Buffer.concat(report));
        const rewritten = lines.map((line) => (line.length > 4 ? rewriteLine(line, reasons) : FLUSH));
        yield* bandLines(1, Buffer.concat(rewritten));
        report.length = 0;
        yield packet;
      } else yield packet;
    }
  }
}

function rewriteLine(line: Buffer, reasons: ReadonlyMap<string, string>): Buffer {
  const text = line.subarray(4).toString();
  const ref = /^ng (\S+) hook declined\n?$/.exec(text)?.[1];
  const reason = ref === undefined ? undefined : reasons.get(ref);
  return reason === undefined ? line : pktLine(`ng ${ref} ${reason}\n`);
}

function readReasons(notes: string): Map<string, string> {
  return new Map(
    readdirSync(notes).map((file) => {
      const [ref = "", reason = ""] = readFileSync(path.join(notes, file), "utf8").split("\n");
      return [ref, reason];
    }),
  );
}
