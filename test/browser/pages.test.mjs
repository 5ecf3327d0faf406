// Opens each page from a folder, as its readers do, and holds it to what every
// page must do: in light and dark, alone, by keyboard, and with names for what
// cannot be seen.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { pages } from "./pages.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const restamp = process.env.RESTAMP;
const dir = mkdtempSync(join(tmpdir(), "restamp-pages-"));
let browser;

before(async () => {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
});
after(async () => {
  await browser?.close();
  rmSync(dir, { recursive: true });
});

const visible = (page) => page.locator("[data-item]:not([hidden])").count();

for (const subject of pages) {
  describe(subject.name, () => {
    let url;
    before(() => {
      const path = join(dir, subject.name + ".html");
      writeFileSync(path, execFileSync(restamp, subject.args, { maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "inherit"] }));
      url = pathToFileURL(path).href;
    });

    // Runs a body on the page, which must keep quiet and to itself meanwhile.
    async function on(body, { colorScheme = "light", hash = "" } = {}) {
      const context = await browser.newContext({ colorScheme, viewport: { width: 1280, height: 900 } });
      const page = await context.newPage();
      const told = [];
      page.on("console", (message) => told.push(`${message.type()}: ${message.text()}`));
      page.on("pageerror", (error) => told.push(String(error)));
      page.on("request", (request) => {
        if (!request.url().startsWith(url) && !request.url().startsWith("data:")) told.push(`request: ${request.url()}`);
      });
      await page.goto(url + hash);
      await body(page);
      assert.deepEqual(told, []);
      await context.close();
    }

    async function violations(page) {
      await page.evaluate(axe);
      const result = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
      return result.violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => `${n.html} ${n.failureSummary}`).join("\n")}`);
    }

    for (const colorScheme of ["light", "dark"]) {
      test(`axe finds nothing in ${colorScheme}`, () => on(async (page) => {
        assert.deepEqual(await violations(page), []);
        if (!subject.big) {
          await page.locator("[data-open]").click();
          assert.deepEqual(await violations(page), []);
        }
        if (subject.link) {
          await page.goto(url + subject.link);
          assert.deepEqual(await violations(page), []);
        }
      }, { colorScheme }));
    }

    test("search finds, and says when there is nothing", () => on(async (page) => {
      const all = await visible(page);
      assert.ok(all > 0);
      await page.locator("[data-search]").fill(subject.find);
      await page.waitForFunction((n) => document.querySelectorAll("[data-item]:not([hidden])").length < n, all);
      assert.ok(await visible(page) > 0);
      assert.match(await page.locator("[data-status]").textContent(), / of /);
      await page.locator("[data-search]").fill("nothing-has-this-name");
      await page.locator("[data-reset]").waitFor();
      assert.equal(await visible(page), 0);
      await page.locator("[data-reset]").click();
      assert.equal(await visible(page), all);
    }));

    test("each filter takes some away, and gives them back", () => on(async (page) => {
      const all = await visible(page);
      for (const filter of await page.locator("select[data-filter]").all()) {
        for (const option of (await filter.locator("option").all()).slice(1, 6)) {
          await filter.selectOption(await option.getAttribute("value"));
          const some = await visible(page);
          assert.ok(some > 0 && some <= all, `${await option.textContent()}: ${some} of ${all}`);
        }
        await filter.selectOption("");
        assert.equal(await visible(page), all);
      }
    }));

    if (subject.link) {
      test("a link opens what it names", () => on(async (page) => {
        const target = page.locator("details.linked");
        await target.waitFor();
        assert.equal("#" + await target.getAttribute("id"), decodeURIComponent(subject.link));
        assert.ok(await target.evaluate((d) => d.open));
        assert.ok(await target.locator("> summary").evaluate((s) => s === document.activeElement));
      }, { hash: subject.link }));
    }

    if (!subject.big) {
      test("the keyboard reaches everything, and shows where it is", () => on(async (page) => {
        await page.locator("[data-open]").click();
        await page.locator("body").evaluate((b) => { document.activeElement.blur(); b.scrollTop = 0; });
        const wanted = await page.evaluate(() => [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']")]
          .filter((e) => e.checkVisibility()).map((e, i) => { e.dataset.stop = i; return String(i); }));
        await page.evaluate(() => { // from the top
          const start = document.createElement("span");
          start.tabIndex = -1;
          document.body.prepend(start);
          start.focus();
        });
        const seen = new Set();
        for (let i = 0; i < wanted.length + 5; i++) {
          await page.keyboard.press("Tab");
          const stop = await page.evaluate(() => {
            const e = document.activeElement;
            return [e.dataset?.stop, getComputedStyle(e).outlineStyle];
          });
          if (stop[0] === undefined) continue;
          seen.add(stop[0]);
          assert.notEqual(stop[1], "none", `stop ${stop[0]} shows no focus`);
        }
        assert.deepEqual(wanted.filter((w) => !seen.has(w)), []);
        await page.evaluate(() => document.activeElement.blur()); // "/" is a character in a field
        await page.keyboard.press("/");
        assert.ok(await page.locator("[data-search]").evaluate((e) => e === document.activeElement));
      }));
    }

    for (const [what, body] of Object.entries(subject.tries ?? {})) {
      test(what, () => on(body));
    }
  });
}
