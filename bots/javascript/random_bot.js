// A bot that plays every game at random. Node only, no packages.
//
//     meeple check-bot bots/javascript/random_bot.js

"use strict";

const fs = require("fs");
const readline = require("readline");

const say = (message) => fs.writeSync(1, JSON.stringify(message) + "\n");

// A small generator (xorshift32), so that the same seed plays the same game.
let state = 1;
function below(bound) {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) % bound;
}

// game17: sends every piece of every own square in a random direction.
function randomTurn(obs) {
  const moves = [];
  obs.owners.forEach((owner, square) => {
    if (owner !== obs.to_move) return;
    const going = { n: 0, s: 0, e: 0, w: 0 };
    for (let piece = 0; piece < obs.numbers[square]; piece++) going["nsew"[below(4)]]++;
    const row = Math.floor(square / obs.size);
    const column = square % obs.size;
    for (const [way, pieces] of Object.entries(going)) {
      if (pieces > 0) moves.push([row, column, way, pieces]);
    }
  });
  return moves;
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  switch (message.t) {
    case "hello":
      say({ t: "hello", v: 1, name: "random", repeatable: true });
      break;
    case "start":
      state = parseInt(message.seed.slice(0, 8), 16) || 1;
      say({ t: "ready", g: message.g });
      break;
    case "turn": {
      const answer = { t: "move", g: message.g, n: message.n };
      if (Array.isArray(message.legal)) answer.a = below(message.legal.length);
      else if (message.legal.spec === "game17/moves") answer.m = randomTurn(message.obs);
      else answer.error = "this bot does not know " + message.legal.spec;
      say(answer);
      break;
    }
    case "bad":
      console.error("refused:", message.msg);
      break;
    case "bye":
      process.exit(0);
  }
});
