import { Hono } from "hono";
import { html } from "hono/html";
import { initialsPicture } from "#connectors/toolkit/simulator/initials-picture.ts";
import { errorPage, layout, wide } from "./consent-page.ts";
import { inOrder } from "./positions.ts";
import type { Board, Card, TrelloWorld } from "./state.ts";
import { find } from "./store.ts";

const NOWHERE = "This page does not exist, or it is private.";

/** Web pages of boards and cards, so that "Visit" links work. They have no sign-in and show everything. */
export function webPages(world: TrelloWorld): Hono {
  const app = new Hono();
  app.get("/", (c) => {
    const rows = world.state.boards.map(
      (board) => html`<tr><td><a href="/b/${board.shortLink}">${board.name}</a></td>
        <td><span class="badge">${board.prefs.permissionLevel}</span></td></tr>`,
    );
    return c.html(layout("Boards", html`<h1>Boards</h1><table>${rows}</table>`));
  });
  app.get("/avatars/:file", (c) => {
    const name = c.req.param("file").replace(/\.svg$/, "");
    return c.body(initialsPicture(name), 200, { "Content-Type": "image/svg+xml" });
  });
  app.get("/b/:link/:slug?", (c) => {
    const found = find(world, "board", c.req.param("link"));
    if (!found) return c.html(errorPage(NOWHERE), 404);
    return c.html(layout(found.board.name, wide(boardPage(found.board))));
  });
  app.get("/c/:link/:slug?", (c) => {
    const found = find(world, "card", c.req.param("link"));
    if (!found) return c.html(errorPage(NOWHERE), 404);
    return c.html(layout(found.card.name, cardPage(found.board, found.card)));
  });
  app.get("*", (c) => c.html(errorPage(NOWHERE), 404));
  return app;
}

function boardPage(board: Board) {
  const lists = inOrder(board.lists)
    .filter(({ isClosed }) => !isClosed)
    .map((list) => {
      const cards = inOrder(board.cards).filter((card) => card.idList === list.id && !card.isClosed);
      return html`<section class="list"><h2>${list.name} <span class="quiet">${cards.length}</span></h2>
        ${cards.slice(0, 50).map((card) => html`<p class="card">${labels(board, card)}<a href="/c/${card.shortLink}">${card.name}</a></p>`)}</section>`;
    });
  return html`<h1>${board.name}${board.isClosed ? " (closed)" : ""}</h1><p class="quiet">${board.desc}</p>
    <div class="board">${lists}</div>`;
}

function cardPage(board: Board, card: Card) {
  const comments = board.actions.filter(({ type, idCard }) => type === "commentCard" && idCard === card.id);
  return html`<h1>${card.name}</h1><p>${labels(board, card)}</p><pre>${card.desc}</pre>
    ${inOrder(card.checklists).map(
      (checklist) =>
        html`<h2>${checklist.name}</h2><ul>${inOrder(checklist.checkItems).map(
          (item) => html`<li>${item.state === "complete" ? "☑" : "☐"} ${item.name}</li>`,
        )}</ul>`,
    )}
    <ul>${card.attachments.map((attachment) => html`<li>${attachment.name} <span class="quiet">${attachment.bytes ?? ""}</span></li>`)}</ul>
    <table>${comments.map((comment) => html`<tr><td class="quiet small">${comment.date}</td><td>${String(comment.data.text)}</td></tr>`)}</table>`;
}

function labels(board: Board, card: Card) {
  return board.labels
    .filter(({ id }) => card.idLabels.includes(id))
    .map((label) => html`<span class="label">${label.name || label.color}</span>`);
}
