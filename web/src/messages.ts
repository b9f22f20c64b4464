/** What the page and the server say to each other at a table; docs/serve.md tells it in words. */

export interface Parts {
  status: string;
  ask: string;
  players: string;
}

/** A change of a list: where, how many go, what comes. The last one comes first. */
export type Change = [at: number, gone: number, come: string[]];

export interface Frame {
  type: "frame";
  version: number;
  revision: number;
  drawing: string;
  text: string;
  log: string;
  asked: boolean;
  parts: Parts;
}

/** What changes of what was shown before. Without `parts`, another one follows at once. */
export interface Patch {
  type: "patch";
  since: number;
  version: number;
  revision: number;
  head?: string;
  drawing: Change[];
  text: Change[];
  log_from: number;
  log: string;
  asked?: boolean;
  parts?: Partial<Parts>;
}

export type Told =
  | Frame
  | Patch
  | { type: "ack"; id: string; repeated: boolean; drafted: boolean; stopped?: number }
  | { type: "bad"; id?: string; code: string; message: string }
  | { type: "elsewhere" }
  | { type: "rematch"; address: string }
  | { type: "leaving" }
  | { type: "pong" };

/** An answer that happens at once, */
export interface Act {
  type: "act";
  number: number;
  id: string;
  action: string;
}

/** or what becomes of a draft of so many steps. */
export interface Draft {
  type: "draft";
  number: number;
  steps: number;
  id: string;
  do: string;
  action?: string;
}
