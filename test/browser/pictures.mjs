// Makes the pictures in docs anew: node pictures.mjs, with RESTAMP as in run.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const restamp = process.env.RESTAMP;
const shop = "../../internal/report/testdata/diff";
const out = (name) => join("../../docs/pictures", name);
const dir = mkdtempSync(join(tmpdir(), "restamp-pictures-"));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });

async function shoot(name, html, { open = [], ...options }) {
  const path = join(dir, name + ".html");
  writeFileSync(path, html);
  const context = await browser.newContext({ viewport: { width: 960, height: 600 }, ...options });
  const page = await context.newPage();
  await page.goto(pathToFileURL(path).href);
  for (const id of open) await page.evaluate((id) => { document.getElementById(id).open = true; }, id);
  await page.screenshot({ path: out(name + ".png"), fullPage: true });
  await context.close();
}

const diff = (format) => execFileSync(restamp, ["diff", "-o", format, "old.yaml", "new.yaml"], { cwd: shop });
const open = ["Deployment/shop/web", "Deployment/shop/mail"];
await shoot("diff-page", diff("html"), { open });
await shoot("diff-page-dark", diff("html"), { open, colorScheme: "dark" });
const comment = execFileSync("go", ["run", "-C", "../formats", "./comment"], { input: diff("markdown") });
await shoot("diff-comment", comment, { viewport: { width: 940, height: 300 } });
await browser.close();
rmSync(dir, { recursive: true });
