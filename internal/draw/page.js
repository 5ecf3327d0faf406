
// Draws what is beside a source or a workload, when it is opened.
(() => {
  const most = 10;
  const space = "http://www.w3.org/2000/svg";
  const shorten = (text) => (text.length > 40 ? text.slice(0, 27) + "…" + text.slice(-12) : text);

  function add(parent, name, attributes, text) {
    const e = document.createElementNS(space, name);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    if (text !== undefined) e.textContent = text;
    parent.append(e);
    return e;
  }

  // The neighbours on one side, each once.
  function neighbours(item, side) {
    const found = new Map();
    for (const row of item.querySelectorAll(`tr[data-side="${side}"]`)) {
      const link = row.querySelector("a");
      const cells = row.querySelectorAll("td");
      const through = cells[1].firstChild.textContent + (cells[2].textContent ? " · " + cells[2].textContent : "");
      const known = found.get(link.textContent);
      if (known) {
        known.through.push(through);
        known.off &&= "off" in row.dataset;
      } else {
        found.set(link.textContent, { name: link.textContent, href: link.getAttribute("href"), kind: row.dataset.class, off: "off" in row.dataset, through: [through] });
      }
    }
    return [...found.values()];
  }

  function draw(item) {
    const sides = { left: neighbours(item, "left"), right: neighbours(item, "right") };
    if (sides.left.length + sides.right.length === 0) return;
    const width = 310, gap = 90, height = 46;
    const columns = ["left", "right"].filter((s) => sides[s].length > 0);
    const rows = Math.max(1, ...columns.map((s) => Math.min(sides[s].length, most) + (sides[s].length > most ? 1 : 0)));
    const total = rows * height + 10;
    const w = width + columns.length * (width + gap);
    const x0 = sides.left.length > 0 ? width + gap : 0;
    const name = item.querySelector("summary .name").textContent;
    const svg = document.createElementNS(space, "svg");
    svg.setAttribute("viewBox", `-4 -4 ${w + 8} ${total + 8}`);
    svg.setAttribute("width", w + 8);
    svg.setAttribute("height", total + 8);
    svg.setAttribute("aria-hidden", "true"); // the table says the same
    const edges = add(svg, "g", {});
    const middle = total / 2;
    const box = (x, y, kind, title, below) => {
      const g = add(svg, "g", {});
      add(g, "rect", { class: "r-box r-" + kind, x, y: y - 19, width, height: 38, rx: 5 });
      add(g, "text", { class: "r-text r-bold", x: x + 10, y: below ? y - 3 : y + 4 }, shorten(title));
      if (below) add(g, "text", { class: "r-text r-small", x: x + 10, y: y + 13 }, shorten(below));
      add(g, "title", {}, below ? `${title}: ${below}` : title);
    };
    for (const side of columns) {
      const list = sides[side];
      const shown = list.slice(0, most);
      const x = side === "left" ? 0 : x0 + width + gap;
      const n = shown.length + (list.length > most ? 1 : 0);
      const top = middle - (n * height) / 2 + height / 2;
      shown.forEach((one, i) => {
        const y = top + i * height;
        const [a, b] = side === "left" ? [width, x0] : [x0 + width, x];
        const [from, to] = side === "left" ? [y, middle] : [middle, y];
        add(edges, "path", { class: "r-edge" + (one.off ? " r-off" : ""), d: `M${a} ${from}C${a + gap / 2} ${from} ${b - gap / 2} ${to} ${b} ${to}` });
        box(x, y, one.kind, one.name, one.through.join("; "));
      });
      if (list.length > most) {
        add(svg, "text", { class: "r-text r-small", x: x + 10, y: top + most * height + 4 }, `and ${list.length - most} more, in the table`);
      }
    }
    const kind = item.dataset.state.includes("missing") && columns.includes("right") ? "missing" : columns.includes("right") ? "source" : "workload";
    box(x0, middle, kind, name);
    const near = document.createElement("div");
    near.className = "near";
    near.append(svg);
    const body = item.querySelector(".body");
    body.insertBefore(near, body.querySelector(".scroll"));
  }

  const drawn = new WeakSet();
  document.addEventListener("toggle", (e) => {
    const item = e.target;
    if (!item.open || !item.matches("[data-item]") || drawn.has(item)) return;
    drawn.add(item);
    draw(item);
  }, true);
})();
