import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * The pre-receive hook that enforces GitLab's push rules. git runs it once, with the new objects in quarantine; one
 * refusal fails every ref of the push, as at GitLab. Lines of `SIM_PROTECTED` are `pattern<TAB>may push<TAB>may force`.
 * A snippet accepts only its one branch, with 1 to `SIM_FILE_LIMIT` files. The files of Git LFS pointers must exist.
 */
const PRE_RECEIVE_HOOK = `#!/bin/sh
refuse() {
  echo "GitLab: $1" >&2
  exit 1
}
tab=$(printf '\\t')
cat > "$SIM_NOTES/commands"
if [ -n "$SIM_LFS" ]; then
  for oid in $(while read -r _ new _; do case $new in *[!0]*) echo "$new" ;; esac; done < "$SIM_NOTES/commands" |
    git rev-list --objects --stdin --not --all | cut -d' ' -f1 |
    git cat-file --batch-check='%(objecttype) %(objectsize) %(objectname)' |
    awk '$1 == "blob" && $2 < 1024 { print $3 }' | git cat-file --batch |
    grep -aoE '^oid sha256:[0-9a-f]{64}' | cut -d: -f2 | sort -u); do
    [ -e "$SIM_LFS/$oid" ] || refuse "LFS objects are missing. Ensure LFS is properly set up or try a manual \\"git lfs push --all\\"."
  done
fi
while read -r old new ref; do
  is_deletion=no
  case $new in *[!0]*) ;; *) is_deletion=yes ;; esac
  is_new=no
  case $old in *[!0]*) ;; *) is_new=yes ;; esac
  if [ "$SIM_KIND" = snippet ]; then
    [ "$ref" = "$SIM_DEFAULT" ] || refuse "You can not create or delete branches."
    [ $is_deletion = no ] || refuse "You can not create or delete branches."
    files=$(git ls-tree -r --name-only "$new" | wc -l)
    [ "$files" -le "$SIM_FILE_LIMIT" ] || refuse "The repository can contain at most $SIM_FILE_LIMIT file(s)."
    [ "$files" -ge 1 ] || refuse "The repository must contain at least 1 file."
    continue
  fi
  case $ref in refs/heads/*) ;; *) continue ;; esac
  branch=\${ref#refs/heads/}
  if [ $is_deletion = yes ] && [ "$ref" = "$SIM_DEFAULT" ]; then
    refuse "The default branch of a project cannot be deleted."
  fi
  is_forced=no
  if [ $is_deletion = no ] && [ $is_new = no ]; then
    git merge-base --is-ancestor "$old" "$new" 2>/dev/null || is_forced=yes
  fi
  printf '%s\\n' "$SIM_PROTECTED" > "$SIM_NOTES/protected"
  while IFS="$tab" read -r pattern may_push may_force; do
    [ -n "$pattern" ] || continue
    case $branch in $pattern) ;; *) continue ;; esac
    if [ $is_deletion = yes ]; then
      refuse "You can only delete protected branches using the web interface."
    fi
    [ "$may_push" = yes ] || refuse "You are not allowed to push code to protected branches on this project."
    if [ $is_forced = yes ] && [ "$may_force" != yes ]; then
      refuse "You are not allowed to force push code to a protected branch on this project."
    fi
  done < "$SIM_NOTES/protected"
done < "$SIM_NOTES/commands"
exit 0
`;

/** The folder with the hook; writes the hook when it is missing or outdated. */
export function hooksDirectory(directory: string): string {
  const hooks = path.join(directory, "hooks");
  const file = path.join(hooks, "pre-receive");
  if (existsSync(file) && readFileSync(file, "utf8") === PRE_RECEIVE_HOOK) return hooks;
  mkdirSync(hooks, { recursive: true });
  writeFileSync(file, PRE_RECEIVE_HOOK);
  chmodSync(file, 0o755);
  return hooks;
}
