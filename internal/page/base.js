
"use strict";
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const items = all("[data-item]");
  const groups = all("[data-group]").reverse(); // inner ones first
  const search = document.querySelector("[data-search]");
  const filters = all("[data-filter]");
  const texts = new Map();

  // A text is read when it is first searched: long pages start at once.
  function textOf(item) {
    if (!texts.has(item)) texts.set(item, (item.dataset.text ?? item.textContent).toLowerCase());
    return texts.get(item);
  }

  function fits(item, words) {
    for (const f of filters) {
      const have = item.dataset[f.dataset.filter];
      if (f.value && !(have ?? "").split(" ").includes(f.value)) return false;
    }
    return words.every((word) => textOf(item).includes(word));
  }

  function apply() {
    const words = (search?.value ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const item of items) {
      item.hidden = !fits(item, words);
      if (!item.hidden) shown++;
    }
    for (const group of groups) {
      const inside = all("[data-item]", group).filter((item) => !item.hidden).length;
      group.hidden = inside === 0;
      const count = group.querySelector("[data-count]");
      if (count) count.textContent = String(inside);
      if (words.length > 0 && inside > 0 && group.tagName === "DETAILS") group.open = true;
    }
    for (const status of all("[data-status]")) {
      status.textContent = shown === items.length ? `${shown} ${status.dataset.status}` : `${shown} of ${items.length} ${status.dataset.status}`;
    }
    for (const nothing of all("[data-nothing]")) nothing.hidden = shown > 0 || items.length === 0;
  }

  function reset() {
    if (search) search.value = "";
    for (const f of filters) f.value = "";
    apply();
  }

  // Opens what the address names, whatever hides it.
  function follow() {
    const id = decode(location.hash.slice(1));
    const target = id && document.getElementById(id);
    if (!target || target.tagName !== "DETAILS") return;
    for (const old of all(".linked")) old.classList.remove("linked");
    target.classList.add("linked");
    if (target.closest("[hidden]")) reset();
    for (let at = target; at; at = at.parentElement) {
      if (at.tagName === "DETAILS") at.open = true;
    }
    target.scrollIntoView({ block: "start" });
    target.querySelector("summary")?.focus({ preventScroll: true });
  }

  function decode(text) {
    try { return decodeURIComponent(text); } catch { return text; }
  }

  // Groups come first: what is in a closed one is not to be seen.
  function fold(open) {
    for (const d of all("details")) {
      if (!d.closest("[hidden]")) d.open = open;
    }
  }

  let waiting = 0;
  search?.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(apply, 80);
  });
  for (const f of filters) f.addEventListener("change", apply);
  for (const form of all("[data-toolbar]")) form.addEventListener("submit", (e) => { e.preventDefault(); apply(); });
  for (const b of all("[data-reset]")) b.addEventListener("click", () => { reset(); search?.focus(); });
  for (const b of all("[data-open]")) b.addEventListener("click", () => fold(true));
  for (const b of all("[data-close]")) b.addEventListener("click", () => fold(false));
  document.addEventListener("keydown", (e) => {
    const typing = e.target instanceof HTMLElement && e.target.matches("input, select, textarea");
    if (e.key === "/" && !typing && search && !e.ctrlKey && !e.metaKey && !e.altKey) {
      e.preventDefault();
      search.focus();
    }
  });
  addEventListener("hashchange", follow);
  // Links to what is linked already do not change the address.
  document.addEventListener("click", (e) => {
    const link = e.target instanceof Element && e.target.closest("a[href^='#']");
    if (link && link.getAttribute("href") === location.hash) follow();
  });
  apply();
  // The browser moves the focus to the target on its own, before that.
  addEventListener("load", follow);
})();
