// Replays: playing, uploading, and playing on from a moment.
import assert from "node:assert/strict";
import { complaints, games, open, server, test, turn, visitor } from "../support.mjs";

test("replays are played, uploaded and played on from, and axe finds nothing on their pages", async () => {
  const told = [];
  for (const colorScheme of ["light", "dark"]) {
    const page = await visitor({ colorScheme });
    for (const game of games) {
      await open(page, game, { "agent.0": "random", "agent.1": "random", seed: "3" });
      await page.waitForFunction(() => /is over/.test(document.querySelector("#status").textContent));
      await page.getByRole("link", { name: "Watch the replay" }).click();
      await page.waitForURL("**/r/*");
      const at = () => page.locator("#number").inputValue();
      const first = await at();
      await page.locator("#end").click();
      const last = await at();
      assert.notEqual(first, last);
      assert.equal(new URL(page.url()).hash, `#${last}`);
      await page.keyboard.press("Home");
      await page.keyboard.press("ArrowRight");
      const second = await at();
      assert.ok(Number(second) > Number(first) && Number(second) < Number(last), `${first} ${second} ${last}`);
      assert.match(await page.getByRole("link", { name: /SVG/ }).getAttribute("href"), new RegExp(`/at/${second}\\.svg`));
      const picture = await page.request.get(server.address + (await page.getByRole("link", { name: /PNG/ }).getAttribute("href")));
      const png = await picture.body();
      assert.deepEqual([png.subarray(1, 4).toString(), png.readUInt32BE(16)], ["PNG", 1600]);
      const replay = page.url();
      for (const width of colorScheme === "dark" ? [1280] : [1280, 768, 390]) {
        await page.setViewportSize({ width, height: 844 });
        // Whatever stands beside it, a board has two fifths of the width, or all that it wants. The page hears of its width a frame later.
        const [seen, wanted] = await page.evaluate(async () => {
          await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
          const part = document.querySelector("#table .board");
          return part ? [part.clientWidth, Math.min(part.scrollWidth, 0.4 * innerWidth)] : [1, 1];
        });
        if (seen < wanted) told.push(`${game} at ${width}: of the board ${seen} pixels are seen`);
        told.push(...(await complaints(page, `${game} at ${width}, ${colorScheme}`)));
      }
      await page.setViewportSize({ width: 1280, height: 844 });
      // The address alone leads to the same moment, seen by somebody else.
      await page.goto(replay.replace("#", "?as=0#"));
      assert.equal(await at(), second);
      await page.getByRole("button", { name: "Play on" }).click();
      await page.waitForURL("**/t/*");
      await turn(page);
      if (game === "incan-gold") {
        const text = await (await page.request.get(replay.replace(/#.*/, "/replay.json"))).text();
        await page.goto(`${server.address}/replays`);
        await page.locator("#file").setInputFiles({ name: "game.json", mimeType: "application/json", buffer: Buffer.from(text) });
        await page.getByRole("button", { name: "Upload" }).click();
        await page.waitForURL("**/r/*");
        assert.equal(await page.locator("#of").textContent(), `of ${JSON.parse(text).steps.length}`);
      }
    }
    await page.context().close();
  }
  assert.deepEqual(told, []);
});
