import { make, markdown } from "./dom.ts";
import type { Scene } from "./frame.ts";
import { countText, timeText } from "./words.ts";

/** Shows the root of a tree of files. */
export function filesFrame(scene: Scene): HTMLElement {
  const { files } = scene.view.catalogue;
  if (files === undefined) return make("div");
  const where = "The files are beside this page as a bare git repository. README.txt says how to open it.";
  const nodes = files.nodes.map(({ name, kind }) => make("li", "", kind === "folder" ? `${name}/` : name));
  const refs = files.refs.map(({ label, kind, id }) =>
    make("tr", "", make("td", "", label), make("td", "soft", kind), make("td", "mono", id)),
  );
  const commits = files.commits.map(({ id, title, author, at }) =>
    make(
      "tr",
      "",
      make("td", "mono", id.slice(0, 7)),
      make("td", "wide", title),
      make("td", "soft", `${author}, ${timeText(at)}`),
    ),
  );
  return make(
    "div",
    "read",
    make(
      "div",
      "read__main",
      make("p", "soft", where),
      files.readme !== undefined && make("h3", "", files.readme.name),
      files.readme !== undefined && markdown(files.readme.text),
      commits.length > 0 && make("h3", "", "Last commits"),
      commits.length > 0 && make("table", "grid", make("tbody", "", ...commits)),
    ),
    make(
      "aside",
      "facts-rail",
      nodes.length > 0 &&
        make(
          "section",
          "",
          make("h3", "", `Root of ${files.ref ?? "the repository"}`),
          make("ul", "plain", ...nodes),
        ),
      make(
        "section",
        "",
        make("h3", "", countText(files.refCount, { one: "branch or tag", many: "branches and tags" })),
        make("table", "grid", make("tbody", "", ...refs)),
      ),
    ),
  );
}
