// The messages of a table's socket. Made from crates/server by its tests; do not edit:
// MEEPLE_BLESS=1 cargo test -p meeple-server schema

/** What a page says. */
export type FromPage = {
  type: "hello";
  /** The version of the frame it shows; 0 for none. */
  since: number;
  /** The revision of the draft that it shows; 0 for none. */
  revision?: number;
  /** How many lines of the log it shows. */
  log?: number;
  /** Whether long messages may come packed: as binary ones, their text as a raw stream of DEFLATE (RFC 1951). */
  packed?: boolean;
  /** Whether our own page can make a question of what changes of the last one: one that was opened at a server of before cannot. */
  pieces?: boolean;
} | {
  type: "act";
  /** The question's number. */
  number: number;
  /** What the page calls this message. */
  id: string;
  /** The action as text, or what the game lets people type; */
  action?: string | null;
  /** or the number of a listed action, from 0. */
  index?: number | null;
} | {
  type: "draft";
  /** The number of the question that its first step answers. */
  number: number;
  /** How many steps the draft has, as far as the page knows. */
  steps: number;
  /** What the page calls this message. */
  id: string;
  /** What is done. */
  do: Do;
  /** The action of a step, as in an answer; */
  action?: string | null;
  /** or its number. */
  index?: number | null;
} | {
  type: "ping";
};

/** What is done to a draft. */
export type Do = "step" | "undo" | "drop" | "commit";

/** What a page is told. */
export type ToPage = FrameOnWire & {
  type: "frame";
} | Patch & {
  type: "patch";
} | {
  type: "ack";
  /** What the page called it. */
  id: string;
  /** Whether it had been taken before. */
  repeated: boolean;
  /** Whether it has changed the draft alone. */
  drafted: boolean;
  /** Of a draft that led elsewhere than it said: so many of its steps were taken, the others dropped. */
  stopped?: number | null;
} | {
  type: "bad";
  /** What the page called it. */
  id?: string | null;
  /** What kind of refusal, for programs. */
  code: Code;
  /** For people. */
  message: string;
} | {
  type: "clock";
  /** By seat. */
  seats: (SeatTime | null)[];
} | {
  type: "elsewhere";
} | {
  type: "rematch";
  /** Where: whoever has a seat here is given its seat there. */
  address: string;
} | {
  type: "leaving";
} | {
  type: "pong";
};

/** A question. */
export type Ask = {
  /** Its number, which the answer names. */
  number: number;
  /** The legal actions; empty if there are too many to list. */
  actions: string[];
  /** The parts of each of them, in words. */
  parts: PartsOnWire;
  /** What the game suggests where it cannot list all. */
  suggestions: Suggestion[];
  /** What whoever does not want to decide does. */
  fallback: string;
};

/** How the parts of actions are written, for its schema. */
export type PartsOnWire = {
  /** All parts there are, each once, in the order in which they come first. */
  words: PartOnWire[];
  /** Of each action, which of these it has, in order. */
  of: number[][];
};

/** How an [`ActionPart`] is written: the core knows nothing of schemas. A test holds it against what is sent. */
export type PartOnWire = {
  /** What kind of answer it is, as a heading. */
  name: string;
  /** The answer in words that somebody new understands. */
  label: string;
};

/** An action that is worth a thought. */
export type Suggestion = {
  /** Its text. */
  action: string;
  /** The action and what comes of it, in the game's words. */
  words: string;
};

/** A draft. */
export type Drafted = {
  /** Grows with every change of a draft at the table. A viewer is shown the same as long as it has the same version and revision; without a draft the revision counts as 0. */
  revision: number;
  /** The number of the question that its first step answers. */
  number: number;
  /** Its steps, in order. */
  steps: DraftedStep[];
  /** Whether what comes of the last step is to be seen when it is confirmed, and not before. */
  hides_last: boolean;
};

/** A step of a draft. */
export type DraftedStep = {
  /** The action's text. */
  action: string;
  /** The same in words. */
  words: string;
};

/** A seat. */
export type SeatLine = {
  /** Who plays it. */
  holder: Holder;
  /** Its colour in the drawing, as in CSS. */
  color: string;
  /** Whether it is waited for; `None` if the viewer may not know. */
  owes: boolean | null;
};

/** Who plays a seat. */
export type Holder = "open" | {
  person: {
    /** What the others call it. */
    name: string;
  };
} | {
  agent: string;
};

/** A line of the log. */
export type LogLine = {
  /** Its number among the viewer's, from 0. */
  number: number;
  /** What happened. */
  text: string;
  /** Whether it is small print. */
  detail: boolean;
};

/** How it ended, by seat. */
export type Ending = {
  /** What ended it. */
  end: string;
  /** Places, from 1. */
  places: number[];
  /** Scores. */
  scores: number[];
  /** What scores count. */
  unit: string;
};

/** A frame, whose log begins where the page's ends. */
export type FrameOnWire = {
  version: number;
  you: number | null;
  drawing: string;
  text: string;
  ask: Ask | null;
  draft?: Drafted | null;
  seats: SeatLine[];
  log: LogLine[];
  /** How many lines of the log the page keeps: those that it has, or none after the end, when everything is told. */
  log_from: number;
  ending: Ending | null;
};

/** A change of a list of texts: where, how many go, and what comes in their place. */
export type Change = [number, number, string[]];

/** A seat that is another than before: which, and what it is now. */
export type SeatChange = [number, SeatLine];

/** What makes a frame of the one before. Of the frame's fields those are there that have changed. */
export type Patch = {
  /** The version of the frame that it changes, */
  since: number;
  /** and the revision of the draft in it. */
  since_revision: number;
  /** The version of the frame that it makes, */
  version: number;
  /** and the revision of the draft in it. */
  revision: number;
  /** Changes of the lines of the drawing, the last first, so that each place counts in the old drawing. A line is a whole element, begins a group or ends one. */
  drawing: Change[];
  /** Changes of the lines of the text, the last first. */
  text: Change[];
  /** What the viewer is asked, or that it is asked nothing any more. */
  ask?: Ask | null;
  /** What it tries out, or that it does not any more. */
  draft?: Drafted | null;
  /** Where somebody else sits or is waited for. */
  seats?: SeatChange[];
  /** How many lines of the log stay. */
  log_from: number;
  /** What follows them. */
  log: LogLine[];
  /** How it ended. */
  ending?: Ending | null;
};

/** Kinds of refusals. */
export type Code = "INVALID_MOVE" | "STALE" | "INVALID_MESSAGE" | "NOT_YOURS" | "TOO_MANY" | "INTERNAL";

/** What is left of a person's time. */
export type SeatTime = {
  /** In milliseconds, when this was sent. */
  left_ms: number;
  /** Whether it runs. */
  runs: boolean;
};

/** What our own page is told in place of [`ToPage`]'s frames and patches. */
export type ToOwnPage = PageFrame & {
  type: "frame";
} | PagePatch & {
  type: "patch";
};

/** The parts of the page that are made anew when something changes, as HTML. */
export type Parts = {
  /** Whose turn it is. */
  status: string;
  /** What can be done. */
  ask: string;
  /** Who plays. */
  players: string;
};

/** A frame for our own page. */
export type PageFrame = {
  version: number;
  revision: number;
  drawing: string;
  text: string;
  log: string;
  /** Whether the table waits for who looks at it. */
  asked: boolean;
  parts: Parts;
};

/** The parts of a page that are others than before. */
export type SomeParts = {
  status?: string | null;
  ask?: string | null;
  /** In place of `ask`: what makes it of the last one that was told while the table waited for who looks at it, in pieces that begin where an element does. The last change first. */
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
