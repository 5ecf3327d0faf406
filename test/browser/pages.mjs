// The pages that are tested. Each has its name; the arguments of the restamp
// that writes it; a word that finds some of its items; the link to something
// that it opens; whether it is too big to be gone through by keyboard; and, if
// need be, what else to try on it.
import assert from "node:assert/strict";
import { sides } from "./sides.mjs";

const drawn = "../../internal/draw/testdata/shop.yaml";

const shop = ["old", "new"].map((side) => `../../internal/report/testdata/diff/${side}.yaml`);

const shown = (page) => page.locator("[data-item]:not([hidden])").evaluateAll((all) => all.map((e) => e.id));

export const pages = [
  {
    name: "graph", args: ["graph", "-o", "html", drawn], find: "nginx", link: "#Secret/shop/db",
    tries: {
      "a box of the picture leads to its table": async (page) => {
        await page.locator(".drawing a[href='#ConfigMap/shop/shop-settings']").click();
        const item = page.locator("details.linked");
        assert.equal(await item.getAttribute("id"), "ConfigMap/shop/shop-settings");
        assert.deepEqual(await item.locator("tbody tr td:first-child").allTextContents(), ["Deployment/shop/api", "Deployment/shop/web", "StatefulSet/shop/cache"]);
        assert.match(await item.locator("tbody tr").last().textContent(), /does not restart: update strategy OnDelete/);
        assert.equal(await item.locator(".near svg").count(), 1);
      },
      "what is missing is found by its state": async (page) => {
        await page.locator("select[data-filter=state]").selectOption("missing");
        const ids = await page.locator("[data-item]:not([hidden])").evaluateAll((all) => all.map((e) => e.id));
        assert.deepEqual(ids, ["ConfigMap/shop/worker-flags", "Deployment/shop/worker"]);
      },
    },
  },
  { name: "graph-from", args: ["graph", "-o", "html", "--from", "ConfigMap/shop-settings", drawn], find: "cache", link: "#Deployment/shop/web" },
  { name: "graph-of-500", args: ["graph", "-o", "html", process.env.RESTAMP_BIG_STREAM], find: "kafka", link: "#ConfigMap/billing/kafka", big: true },
  { name: "graph-of-odd-names", args: ["graph", "-o", "html", "../../internal/draw/testdata/odd.yaml"], find: "onload" },
  {
    name: "diff", args: ["diff", "-o", "html", ...shop], find: "cache_size", link: "#Deployment/shop/mail",
    tries: {
      "a key finds who uses it": async (page) => {
        await page.locator("[data-search]").fill("log_level");
        await page.waitForFunction(() => document.querySelectorAll("[data-item]:not([hidden])").length === 2);
        assert.deepEqual(await shown(page), ["Deployment/shop/web", "DaemonSet/shop/agent"]);
      },
      "a verdict is chosen": async (page) => {
        await page.locator("select[data-filter=verdict]").selectOption("should-restart-but-will-not");
        assert.deepEqual(await shown(page), ["Job/shop/migrate"]);
        assert.match(await page.locator("h2:visible").first().textContent(), /^Should restart, but will not: 1$/);
      },
      "a link shows what a filter hides": async (page) => {
        await page.locator("select[data-filter=kind]").selectOption({ label: "Job" });
        await page.evaluate(() => { location.hash = "#Deployment/shop/old"; });
        await page.locator("details.linked").waitFor();
        assert.equal(await page.locator("details.linked").getAttribute("id"), "Deployment/shop/old");
      },
    },
  },
  { name: "diff-of-500", args: ["diff", "-o", "html", ...sides(500)], find: "mailer", link: "#Deployment/shop/gateway", big: true },
  { name: "diff-of-5", args: ["diff", "-o", "html", ...sides(5)], find: "ledger" },
];
