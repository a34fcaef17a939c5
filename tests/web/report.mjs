/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opens reports in a browser, from their files, and does what a reader does: that of a small store that is made here,
 * that of 3,240 made-up jobs (BNB_FILL_STORE names the program that makes them up), and that of the store BNB_WEB_STORE.
 * Run by run.sh.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const require = createRequire(path.resolve(process.env.BNB_WEB_MODULES || here, "package.json"));
const { chromium } = require("playwright-core");
const program = process.env.BNB_PROGRAM || "bnbench";
/* Thousands of transactions take their time on a disk. */
const folder = mkdtempSync(path.join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "bnbench-web-"));
const mostBytes = 5e6, mostMilliseconds = 2000;

function bnbench(...words) {
  try {
    return execFileSync(program, words, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch (e) {
    /* 6: a learner of the experiment always fails; 7: one of its many jobs was repeated. */
    if (e.status === 6 || e.status === 7) { return e.stdout; }
    throw new Error(`bnbench ${words.join(" ")} ended with ${e.status}`);
  }
}

/* The lowest contrast of a text with what lies behind it (WCAG 2.1, 1.4.3), and where. */
function lowestContrast() {
  const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  function rgba(colour) {
    probe.clearRect(0, 0, 1, 1);
    probe.fillStyle = colour;
    probe.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = probe.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  }
  const over = (top, below) => top.slice(0, 3).map((v, i) => v * top[3] + below[i] * (1 - top[3])).concat(1);
  function ground(element) {
    const layers = [];
    for (let e = element; e; e = e.parentElement) {
      layers.push(rgba(getComputedStyle(e).backgroundColor));
      if (layers[layers.length - 1][3] === 1) { break; }
    }
    return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255, 1]);
  }
  function luminance(c) {
    const [r, g, b] = c.slice(0, 3).map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }
  let lowest = { ratio: 21, where: "" }, n = 0;
  for (const element of document.querySelectorAll("body *")) {
    const style = getComputedStyle(element), size = parseFloat(style.fontSize);
    const hasText = [...element.childNodes].some((c) => c.nodeType === 3 && c.textContent.trim());
    if (!hasText || !element.getClientRects().length || ["SCRIPT", "STYLE"].includes(element.tagName)) { continue; }
    const behind = ground(element), ink = over(rgba(style.color), behind);
    const [a, b] = [luminance(ink), luminance(behind)].sort((x, y) => y - x);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const ratio = (a + 0.05) / (b + 0.05) * (isLarge ? 4.5 / 3 : 1);
    n++;
    if (ratio < lowest.ratio) { lowest = { ratio, where: element.tagName + "." + element.className + ": " + element.textContent.slice(0, 40) }; }
  }
  return { ...lowest, n };
}

async function checkContrast(page, what) {
  const found = await page.evaluate(lowestContrast);
  assert.ok(found.n > 20, what + ": texts were looked at");
  assert.ok(found.ratio >= 4.5, `${what}: contrast ${found.ratio.toFixed(2)} at ${found.where}`);
}

async function checkWidth(page, width) {
  await page.setViewportSize({ width, height: 900 });
  const { inner, scroll } = await page.evaluate(() => ({ inner: innerWidth, scroll: document.documentElement.scrollWidth }));
  assert.equal(inner, width);
  assert.ok(scroll <= width, `at ${width} px the page is ${scroll} px wide`);
}

/* The best of three, for the machine may be busy. */
async function checkLoading(page, url) {
  const times = [];
  for (let i = 0; i < 3; i++) {
    const start = Date.now();
    await page.goto(url);
    await page.waitForFunction(() => !document.getElementById("theme").hidden);
    times.push(Date.now() - start);
  }
  const best = Math.min(...times);
  console.log(`  ${statSync(fileURLToPath(url)).size} bytes, loaded in ${best} ms`);
  assert.ok(best < mostMilliseconds, `it took ${times.join(", ")} ms to load`);
}

async function checkSmallPage(page) {
  assert.equal(await page.title(), 'A small comparison with <b>names</b> & "quotes"');
  assert.equal(await page.locator("h1 b").count(), 0);
  assert.ok(await page.locator("#tests table").count() >= 2, "the test is there");
  assert.match(await page.locator("#failures").innerText(), /broken/);
  assert.ok(await page.locator("#learners").innerText().then((t) => t.includes("mm:hc=0.05")));
}

async function checkJobs(page) {
  const figure = page.locator("#table-0 button.fig", { hasText: /\d/ }).nth(1);
  await figure.focus();
  await page.keyboard.press("Enter"); /* by keyboard alone */
  const dialog = page.locator("dialog[open]");
  await dialog.waitFor();
  assert.equal(await dialog.locator("tbody tr").count(), 8, "two networks, two data sets, a learner and its baseline");
  await dialog.locator("button[aria-expanded]").first().click();
  const command = await dialog.locator("pre.command").innerText();
  assert.match(command, /^bnbench run experiment\.yaml --store repeated --set only\.network=asia /);
  await checkContrast(page, "jobs");
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("dialog[open]").count(), 0);
  assert.ok(await figure.evaluate((e) => e === document.activeElement), "the focus is where it was");
  return command;
}

/* What the page tells a reader to type is typed. */
function checkCommand(command) {
  const shell = command.replace(/^bnbench/, '"$BNB"');
  const report = path.join(folder, "small-report");
  const text = execFileSync("sh", ["-c", shell], { cwd: report, encoding: "utf8",
    env: { ...process.env, BNB: program }, stdio: ["ignore", "pipe", "ignore"] });
  assert.match(text, /1 of 1 cells done/);
  const answer = JSON.parse(bnbench("diff", "small", "small-report/repeated", "--json"));
  assert.equal(answer.compared, 1);
  assert.equal(answer.cells[0].graphs_differ, 0, "it learned the same graph again");
}

async function commandOf(page, learner) {
  await page.locator("#jobs-all summary").first().click();
  await page.locator("#jobs-filter").fill(learner);
  await page.waitForFunction((name) => [...document.querySelectorAll("#jobs-found tbody tr")].every((r) => r.textContent.includes(name)), learner);
  assert.equal(await page.locator("#jobs-found tbody tr").count(), 8);
  await page.locator("#jobs-found button[aria-expanded]").first().click();
  return page.locator("#jobs-found pre.command").first().innerText();
}

/* What came out is on the first screen: a picture, and who is the best. */
async function checkFirstScreen(page) {
  const { height } = page.viewportSize();
  for (const what of ["#summary figure img", "#summary .verdicts strong"]) {
    const box = await page.locator(what).first().boundingBox();
    assert.ok(box && box.y + Math.min(box.height, 300) <= height, `${what} is not on the first screen`);
  }
}

/* A picture fits the page; a click shows it at its full size, and another takes that back. */
async function checkPicture(page) {
  await page.setViewportSize({ width: 360, height: 900 });
  const picture = page.locator("button.zoom").first();
  const width = () => picture.locator("img").evaluate((e) => e.getBoundingClientRect().width);
  assert.ok(await width() <= 360, "it is cut");
  await picture.click();
  assert.ok(await width() >= 900, "it does not grow");
  const scroll = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(scroll <= 360, `the page is ${scroll} px wide`);
  await picture.click();
  assert.ok(await width() <= 360);
  await page.setViewportSize({ width: 1280, height: 900 });
}

/* A browser writes what a page stores a moment later, and a busy computer makes that moment long. */
async function reloadUntil(page, holds, what) {
  for (let i = 0; i < 5; i++) {
    await page.waitForTimeout(200 * i);
    await page.reload();
    if (await holds()) { return; }
  }
  assert.fail("it does not hold that " + what);
}

async function checkThemes(page) {
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const first = await ground();
  await checkContrast(page, "light");
  await page.locator("#theme").click();
  assert.notEqual(await ground(), first, "the theme changed");
  assert.match(await page.locator("figure img").first().evaluate((e) => getComputedStyle(e).filter), /invert/);
  await checkContrast(page, "dark");
  await reloadUntil(page, async () => await ground() !== first, "the theme is remembered");
  await page.locator("#theme").click();
  assert.equal(await ground(), first);
}

/* Of any page: a click on a figure of a table shows the jobs behind it, of which there are more in the list of all. */
async function checkAnyFigure(page, nJobs) {
  await page.locator("#tables button.fig", { hasText: /\d/ }).first().click();
  const dialog = page.locator("dialog[open]");
  await dialog.waitFor();
  assert.ok(await dialog.locator("tbody tr").count() > 0, "there are jobs behind the figure");
  await dialog.locator("button[aria-expanded]").first().click();
  assert.match(await dialog.locator("pre.command").innerText(), /^bnbench run experiment\.yaml --store repeated --set only\./);
  await page.keyboard.press("Escape");
  if (nJobs) { assert.match(await page.locator("#summary").innerText(), new RegExp(`${nJobs} of ${nJobs}`)); }
}

async function checkAnyFilter(page) {
  const filter = page.locator("#tables input[aria-controls]").last();
  const names = page.locator(`#${await filter.getAttribute("aria-controls")} [data-name]:visible`);
  const before = await names.count(), wanted = await names.first().innerText();
  await filter.fill(wanted);
  const found = await names.allInnerTexts();
  assert.ok(found.length > 0 && found.length < before, `of ${before} names '${wanted}' leaves ${found.length}`);
  assert.ok(found.every((name) => name.includes(wanted)), "only what holds the words is left: " + found.join(" "));
  await filter.fill("");
  assert.equal(await names.count(), before);
}

/* Opens it, has `check` look at it, then looks at what must hold of every page. */
async function checkReport(browser, store, check) {
  console.log(`the report of ${store}:`);
  const out = path.join(folder, path.basename(store) + "-report");
  bnbench("report", store, "--format", "html", "--out", out);
  const url = pathToFileURL(path.join(out, "index.html")).href;
  const page = await browser.newPage({ colorScheme: "light", viewport: { width: 1280, height: 900 } });
  const said = [], asked = [];
  page.on("console", (m) => said.push(m.text()));
  page.on("pageerror", (e) => said.push(e.message));
  page.on("request", (r) => { if (!r.url().startsWith("data:")) { asked.push(r.url()); } });
  await checkLoading(page, url);
  await check(page);
  await checkThemes(page);
  await checkWidth(page, 360);
  await checkWidth(page, 1920);
  assert.ok(statSync(fileURLToPath(url)).size < mostBytes, "it is too large");
  assert.deepEqual(said, [], "the console is silent");
  assert.ok(asked.every((u) => u === url), "only the page itself was asked for: " + asked.join(" "));
  await page.close();
}

async function checkSmall(page) {
  await checkSmallPage(page);
  checkCommand(await checkJobs(page));
  checkCommand(await commandOf(page, "mm:hc=0.05"));
  assert.equal(await page.locator("#tables input").count(), 0, "a table of a few names has a filter");
  await checkFirstScreen(page);
  await checkPicture(page);
}

async function checkEverything(browser) {
  bnbench("run", path.join(here, "small.yaml"), "--store", "small", "--jobs", "2", "--quiet");
  await checkReport(browser, "small", checkSmall);
  if (process.env.BNB_FILL_STORE) {
    execFileSync(process.env.BNB_FILL_STORE, [path.join(here, "large.yaml"), "large"], { cwd: folder });
    await checkReport(browser, "large", async (page) => {
      await checkAnyFigure(page, 3240);
      await checkAnyFilter(page);
    });
  }
  if (process.env.BNB_WEB_STORE) {
    await checkReport(browser, path.resolve(process.env.BNB_WEB_STORE), async (page) => {
      await checkFirstScreen(page);
      await checkAnyFigure(page);
    });
  }
}

let browser;
try {
  browser = await chromium.launch({ executablePath: process.env.BNB_CHROMIUM, args: ["--no-sandbox"] });
  await checkEverything(browser);
  console.log("the reports work in the browser");
} catch (e) {
  console.error(e.message);
  process.exitCode = 1;
} finally {
  if (browser) { await browser.close(); }
  rmSync(folder, { recursive: true, force: true });
}
