/**
 * The script of the offline page. Plain JavaScript for current and older browsers. It writes only with `textContent`,
 * and makes links only of URLs that are relative to the page or begin with http.
 */
export const VIEWER_SCRIPT = `"use strict";
(function () {
  var board = JSON.parse(document.getElementById("board").textContent);
  var COLORS = ["green","yellow","orange","red","purple","blue","sky","lime","pink","black"];
  function make(tag, className, text) {
    var element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined && text !== null) element.textContent = String(text);
    return element;
  }
  function add(parent) {
    for (var i = 1; i < arguments.length; i++) if (arguments[i]) parent.appendChild(arguments[i]);
    return parent;
  }
  function colorClass(color) {
    var base = String(color || "").replace(/_(light|dark)$/, "");
    return COLORS.indexOf(base) === -1 ? "" : "c-" + base;
  }
  function day(iso) {
    var date = new Date(iso);
    if (isNaN(date.getTime())) return String(iso);
    return date.toISOString().slice(0, 16).replace("T", " ") + " UTC";
  }
  function link(text, href, isFile) {
    var isSafe = isFile ? /^attachments\\//.test(href) : /^https?:\\/\\//i.test(href);
    if (!isSafe) return make("span", "", text + " (" + href + ")");
    var anchor = make("a", "", text);
    anchor.href = href;
    anchor.rel = "noreferrer noopener";
    anchor.target = "_blank";
    return anchor;
  }
  function chips(card) {
    if (!card.labels.length) return null;
    var row = make("div", "chips");
    card.labels.forEach(function (label) {
      row.appendChild(make("span", "chip " + colorClass(label.color), label.name || label.color || ""));
    });
    return row;
  }
  function items(card) {
    var all = 0, done = 0;
    card.checklists.forEach(function (list) {
      list.items.forEach(function (item) { all += 1; if (item.isDone) done += 1; });
    });
    return all ? done + " of " + all + " items" : "";
  }
  function section(dialog, title, content) {
    if (!content) return;
    add(dialog, add(make("section"), make("h3", "", title), content));
  }
  function textOf(value) { return value ? make("p", "text", value) : null; }
  function listOf(values, render) {
    if (!values.length) return null;
    var list = make("ul", "items");
    values.forEach(function (value) { list.appendChild(add(make("li"), render(value))); });
    return list;
  }
  var dialog = make("dialog");
  function close() { if (dialog.close) dialog.close(); else dialog.removeAttribute("open"); }
  dialog.addEventListener("click", function (event) { if (event.target === dialog) close(); });
  function open(card, listName) {
    dialog.textContent = "";
    var button = make("button", "close", "Close");
    button.type = "button";
    button.addEventListener("click", close);
    var title = make("h1", "", card.name);
    title.id = "card-title";
    add(dialog, add(make("header"), title, button));
    dialog.setAttribute("aria-labelledby", "card-title");
    add(dialog, make("p", "soft", "In the list " + listName + (card.isArchived ? ", archived" : "")), chips(card));
    section(dialog, "Description", textOf(card.description));
    var facts = [];
    if (card.start) facts.push("Start: " + day(card.start));
    if (card.due) facts.push("Due: " + day(card.due) + (card.isDone ? ", done" : ""));
    if (card.place) facts.push("Place: " + card.place);
    if (card.members.length) facts.push("Members: " + card.members.join(", "));
    if (card.votes.length) facts.push("Votes: " + card.votes.join(", "));
    card.fields.forEach(function (field) { facts.push(field.name + ": " + field.value); });
    section(dialog, "Details", listOf(facts, function (fact) { return make("span", "", fact); }));
    card.checklists.forEach(function (checklist) {
      section(dialog, checklist.name, listOf(checklist.items, function (item) {
        var mark = item.isDone ? "\\u2611 " : "\\u2610 ";
        return make("span", "", mark + item.name + (item.due ? " (due " + day(item.due) + ")" : ""));
      }) || make("p", "soft", "No items"));
    });
    section(dialog, "Attachments", listOf(card.attachments, function (file) {
      return link(file.name || file.href, file.href, file.isFile);
    }));
    if (card.comments.length) {
      var comments = make("div");
      card.comments.slice().reverse().forEach(function (comment) {
        add(comments, add(make("div", "comment"),
          add(make("div", ""), make("strong", "", comment.author), make("span", "soft", "  " + day(comment.at))),
          textOf(comment.text)));
      });
      section(dialog, "Comments", comments);
    }
    if (card.url) section(dialog, "At Trello", link(card.url, card.url, false));
    if (dialog.showModal) dialog.showModal(); else dialog.setAttribute("open", "");
  }
  function haystack(card) {
    var parts = [card.name, card.description].concat(card.members);
    card.labels.forEach(function (label) { parts.push(label.name); });
    card.fields.forEach(function (field) { parts.push(field.value); });
    card.checklists.forEach(function (list) {
      parts.push(list.name);
      list.items.forEach(function (item) { parts.push(item.name); });
    });
    card.attachments.forEach(function (file) { parts.push(file.name); });
    card.comments.forEach(function (comment) { parts.push(comment.text, comment.author); });
    return parts.join("\\n").toLowerCase();
  }
  var texts = board.cards.map(haystack);
  var search = make("input");
  search.type = "search";
  search.placeholder = "Search cards";
  search.setAttribute("aria-label", "Search cards");
  var box = make("input");
  box.type = "checkbox";
  var archived = add(make("label"), box, make("span", "", "Show archived"));
  var found = make("span", "soft");
  found.setAttribute("role", "status");
  var main = make("main");
  function cardButton(card, listName) {
    var button = make("button", "card" + (card.isArchived ? " archived" : ""));
    button.type = "button";
    var facts = make("div", "facts");
    [card.due ? "Due " + day(card.due).slice(0, 10) : "", items(card),
      card.comments.length ? card.comments.length + (card.comments.length === 1 ? " comment" : " comments") : "",
      card.attachments.length ? card.attachments.length + (card.attachments.length === 1 ? " attachment" : " attachments") : ""]
      .forEach(function (fact) { if (fact) facts.appendChild(make("span", "", fact)); });
    if (card.isArchived) facts.appendChild(make("span", "tag", "archived"));
    var stripe = card.coverColor ? make("div", "stripe " + colorClass(card.coverColor)) : null;
    add(button, stripe, chips(card), make("span", "", card.name), facts.childNodes.length ? facts : null);
    button.addEventListener("click", function () { open(card, listName); });
    return button;
  }
  function show() {
    var wanted = search.value.trim().toLowerCase();
    var words = wanted ? wanted.split(/\\s+/) : [];
    var total = 0;
    main.textContent = "";
    board.lists.forEach(function (list) {
      if (list.isArchived && !box.checked) return;
      var cards = board.cards.filter(function (card, index) {
        if (card.listId !== list.id || (card.isArchived && !box.checked)) return false;
        return words.every(function (word) { return texts[index].indexOf(word) !== -1; });
      });
      if (words.length && !cards.length) return;
      total += cards.length;
      var column = make("section", "list" + (list.isArchived ? " archived" : ""));
      add(column, add(make("h2", "", list.name + " "), make("span", "count", cards.length)));
      var rows = make("ul");
      cards.forEach(function (card) { rows.appendChild(add(make("li"), cardButton(card, list.name))); });
      add(column, cards.length ? rows : make("p", "empty", "No cards"));
      main.appendChild(column);
    });
    found.textContent = words.length ? total + (total === 1 ? " card found" : " cards found") : total + " cards";
  }
  var timer = 0;
  search.addEventListener("input", function () { clearTimeout(timer); timer = setTimeout(show, 150); });
  box.addEventListener("change", show);
  var head = add(make("header"), make("h1", "", board.name), found, archived, search);
  add(document.body, head, board.description ? make("p", "about", board.description) : null, main, dialog);
  show();
})();
`;
