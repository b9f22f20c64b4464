// The messages of a table's socket. Made from crates/server by its tests; do not edit:
// MEEPLE_BLESS=1 cargo test -p meeple-server schema

/** A message from the page to the server. */
export type FromPage = {
  type: "hello";
  /** Version of the frame that the page shows; 0 for none. */
  since: number;
  /** Revision of the draft that the page shows; 0 for none. */
  revision?: number;
  /** Number of log lines that the page shows. */
  log?: number;
  /** True if the page accepts long messages compressed: as binary messages of raw DEFLATE (RFC 1951). */
  packed?: boolean;
  /** True if our own page accepts a question as changes of the last one (`ask_changes`). Pages of older releases do not. */
  pieces?: boolean;
} | {
  type: "act";
  /** Number of the question. */
  number: number;
  /** Id of this message, chosen by the page. */
  id: string;
  /** The action's text, or an input that the game accepts; alternative to `index`. */
  action?: string | null;
  /** Index into the listed actions, from 0; alternative to `action`. */
  index?: number | null;
} | {
  type: "draft";
  /** Number of the question that the first step answers. */
  number: number;
  /** Number of steps in the draft, as known to the page. */
  steps: number;
  /** Id of this message, chosen by the page. */
  id: string;
  /** The operation. */
  do: Do;
  /** The step's action, as in `act`; alternative to `index`. */
  action?: string | null;
  /** Index of the step's action, as in `act`; alternative to `action`. */
  index?: number | null;
} | {
  type: "ping";
};

/** An operation on a draft. */
export type Do = "step" | "undo" | "drop" | "commit";

/** A message from the server to the page. */
export type ToPage = FrameOnWire & {
  type: "frame";
} | Patch & {
  type: "patch";
} | {
  type: "ack";
  /** Id of the page's message. */
  id: string;
  /** True if the message had been accepted before. */
  repeated: boolean;
  /** True if only the draft has changed. */
  drafted: boolean;
  /** Number of steps played, if the draft led elsewhere than it showed; the others were dropped. */
  stopped?: number | null;
} | {
  type: "bad";
  /** Id of the page's message. */
  id?: string | null;
  /** Kind of refusal, for programs. */
  code: Code;
  /** The refusal in words, for people. */
  message: string;
} | {
  type: "clock";
  /** By seat; null for agents, and where the viewer may not know whether the seat decides. */
  seats: (SeatTime | null)[];
} | {
  type: "elsewhere";
} | {
  type: "rematch";
  /** Address of the rematch. It gives players of this table their new seats. */
  address: string;
} | {
  type: "leaving";
} | {
  type: "pong";
};

/** An open question to a seat. */
export type Ask = {
  /** Number of the question; the answer repeats it. */
  number: number;
  /** The legal actions; empty if there are too many to list. */
  actions: string[];
  /** The parts of each action, in words. */
  parts: PartsOnWire;
  /** Suggested actions, if there are too many to list. */
  suggestions: Suggestion[];
  /** The fallback: the action of a player who does not decide. */
  fallback: string;
};

/** The parts of all actions, each written once. */
export type PartsOnWire = {
  /** All distinct parts, in the order of their first occurrence. */
  words: PartOnWire[];
  /** By action: indices of its parts in `words`, in order. */
  of: number[][];
};

/** A part of an action: one answer to a small question. */
export type PartOnWire = {
  /** Kind of answer, as a heading. */
  name: string;
  /** The answer in words, for beginners. */
  label: string;
};

/** A suggested action. */
export type Suggestion = {
  /** The action's text. */
  action: string;
  /** The action and its consequence, in the game's words. */
  words: string;
};

/** A draft: unconfirmed steps of a decision. */
export type Drafted = {
  /** Grows with every change of a draft at the table. A viewer's frames with equal version and revision are equal; without a draft the revision counts as 0. */
  revision: number;
  /** Number of the question that the first step answers. */
  number: number;
  /** The steps, in order. */
  steps: DraftedStep[];
  /** True if the outcome of the last step is revealed only when it is confirmed. */
  hides_last: boolean;
};

/** A step of a draft. */
export type DraftedStep = {
  /** The action's text. */
  action: string;
  /** The action in words. */
  words: string;
};

/** A seat with its player. */
export type SeatLine = {
  /** The player. */
  holder: Holder;
  /** Colour in the drawing, as in CSS. */
  color: string;
  /** True if the seat owes a decision; null if the viewer may not know. */
  owes: boolean | null;
};

/** The player at a seat. */
export type Holder = "open" | {
  person: {
    /** The player's name, as others see it. */
    name: string;
  };
} | {
  agent: string;
};

/** A line of the log. */
export type LogLine = {
  /** Number of the line in the viewer's log, from 0. */
  number: number;
  /** The event in words. */
  text: string;
  /** True for a minor event, shown small. */
  detail: boolean;
};

/** The result of a game. */
export type Ending = {
  /** Reason for the end, in the game's words. */
  end: string;
  /** Places by seat, from 1. */
  places: number[];
  /** Scores by seat. */
  scores: number[];
  /** Unit of the scores. */
  unit: string;
};

/** A frame. Its log begins where the page's log ends. */
export type FrameOnWire = {
  version: number;
  you: number | null;
  drawing: string;
  text: string;
  ask: Ask | null;
  draft?: Drafted | null;
  seats: SeatLine[];
  log: LogLine[];
  /** Number of log lines that the page keeps: all it has, or 0 after the end, when secrets are revealed. */
  log_from: number;
  ending: Ending | null;
};

/** A change of a list of texts: index, number of texts to remove, and the texts to insert there. */
export type Change = [number, number, string[]];

/** A changed seat: its index, and its new state. */
export type SeatChange = [number, SeatLine];

/** Changes from one frame to the next. Fields of the frame that have not changed are absent or empty. */
export type Patch = {
  /** Version of the frame before the changes. */
  since: number;
  /** Revision of the draft before the changes; 0 for none. */
  since_revision: number;
  /** Version of the frame after the changes. */
  version: number;
  /** Revision of the draft after the changes; 0 for none. */
  revision: number;
  /** Changes of the drawing's lines, the last first, so that indices count in the old drawing. A line is a whole element, or begins or ends a group. */
  drawing: Change[];
  /** Changes of the text's lines, the last first. */
  text: Change[];
  /** The new question to the viewer; null if there is none any more. */
  ask?: Ask | null;
  /** The viewer's new draft; null if there is none any more. */
  draft?: Drafted | null;
  /** Seats with another player, or that owe a decision now or no longer. */
  seats?: SeatChange[];
  /** Number of log lines that stay. */
  log_from: number;
  /** Log lines that follow them. */
  log: LogLine[];
  /** The result, once the game is over. */
  ending?: Ending | null;
};

/** Kinds of refusals. */
export type Code = "INVALID_MOVE" | "STALE" | "INVALID_MESSAGE" | "NOT_YOURS" | "TOO_MANY" | "INTERNAL";

/** Time left to a person. */
export type SeatTime = {
  /** Time left when this was sent, in ms. */
  left_ms: number;
  /** True if the clock is running. */
  runs: boolean;
};

/** Frames and patches for our own page, in place of those of [`ToPage`]. */
export type ToOwnPage = PageFrame & {
  type: "frame";
} | PagePatch & {
  type: "patch";
};

/** The parts of the page that are rendered again after a change, as HTML. */
export type Parts = {
  /** The status line: whose turn it is. */
  status: string;
  /** The open question, with controls to answer it. */
  ask: string;
  /** The players. */
  players: string;
};

/** A frame for our own page. */
export type PageFrame = {
  version: number;
  revision: number;
  drawing: string;
  text: string;
  log: string;
  /** True if the table waits for the viewer. */
  asked: boolean;
  parts: Parts;
};

/** The changed parts of a page. */
export type SomeParts = {
  status?: string | null;
  ask?: string | null;
  /** In place of `ask`: changes to the last question sent while the table waited for the viewer, the last change first. Every piece of text begins where an element begins. */
  ask_changes?: Change[] | null;
  players?: string | null;
};

/** A patch for our own page. */
export type PagePatch = {
  since: number;
  version: number;
  revision: number;
  drawing: Change[];
  text: Change[];
  log_from: number;
  log: string;
  asked?: boolean;
  parts?: SomeParts;
};
