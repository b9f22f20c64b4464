// Findings of axe on the pages of every game, and moments of a game without a script.
import assert from "node:assert/strict";
import { complaints, games, open, server, step, test, turn, visitor } from "../support.mjs";
import { until } from "../waits.mjs";

test("axe finds nothing on any page of any game, at three widths, light and dark", async () => {
  const told = [];
  for (const colorScheme of ["light", "dark"]) {
    const page = await visitor({ colorScheme });
    for (const game of games) {
      await open(page, game, { "agent.0": "me", "agent.1": "random" });
      await turn(page);
      const table = new URL(page.url()).pathname;
      const pages = [table, `${table}/at/0`, `/new/${game}`, `/guide/${game}`, `/rules/${game}`];
      if (game === "incan-gold") pages.push("/", "/help", "/replays", `${table}?as=watch`);
      for (const path of pages) {
        await page.goto(server.address + path);
        // Texts flow: the narrowest shows most. In the dark only colours differ.
        const widths = /^\/(guide|rules)/.test(path) ? [390] : colorScheme === "dark" ? [1280] : [1280, 768, 390];
        for (const width of widths) {
          await page.setViewportSize({ width, height: 844 });
          // The page hears of its new width with the next frame, which a busy machine draws late.
          await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
          told.push(...(await complaints(page, `${path} at ${width}, ${colorScheme}`)));
        }
        // In the middle of an action: a part that is open, a move without a direction.
        if (path === table) {
          const part = page.locator("#ask details.part > summary");
          if ((await part.count()) > 0) await part.first().click();
          const square = page.locator("#composer .compose button[data-target]");
          if ((await square.count()) > 0) await step(page, () => square.first().dispatchEvent("click"));
          told.push(...(await complaints(page, `${path} in the middle, ${colorScheme}`)));
        }
      }
    }
    await page.context().close();
  }
  assert.deepEqual(told, []);
});

test("every part of a moment is read without a script, at every width", async () => {
  const wrong = [];
  for (const game of games) {
    const reader = await visitor();
    const seats = game === "incan-gold" ? ["turn:7", "turn:9"] : game === "game17" ? ["hunter", "zombie"] : ["random", "random"];
    const settings = game === "game17" ? { size: "6", rounds: "6" } : {};
    const made = await reader.request.post(`${server.address}/api/v1/tables`, { data: { game, settings, seed: 7, seats: seats.map((agent) => ({ agent })) } });
    const { id: table } = await made.json();
    await until("the end of the game", async () => (await reader.request.get(`${server.address}/api/v1/tables/${table}/replay`)).ok());
    await reader.goto(`${server.address}/r/${table}#40`);
    const named = (page, part) => page.locator(part).evaluateAll((parts) => parts.map((part) => part.getAttribute("aria-label").replace(", scrolls", "")));
    const parts = await named(reader, "#table .part");
    await reader.context().close();
    for (const width of [1280, 768, 390]) {
      const page = await visitor({ viewport: { width, height: 844 } });
      for (const path of [`/r/${table}/at/40`, `/t/${table}/at/40`]) {
        await page.goto(server.address + path);
        const where = `${path} of ${game} at ${width}`;
        if (path.startsWith("/r/")) wrong.push(...(await complaints(page, where)));
        assert.deepEqual(await named(page, "#board .part"), parts, where);
        const small = await page.locator("#board text").evaluateAll((texts) =>
          texts.filter((text) => text.textContent.trim() && Number(text.getAttribute("font-size")) * Math.hypot(text.getCTM().a, text.getCTM().b) < 11.9).map((text) => text.textContent),
        );
        wrong.push(...small.map((text) => `${where}: too small: ${text}`));
      }
      await page.context().close();
    }
  }
  assert.deepEqual(wrong, []);
});
