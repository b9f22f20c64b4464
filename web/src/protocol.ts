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

/** An open question to the viewer. */
export type Ask = {
  /** Number of the question; the answer repeats it. */
  number: number;
  /** The legal actions; empty if there are too many to list. */
  actions: string[];
  /** The parts of each action, in words. */
  parts: PartsOnWire;
  /** Suggestions of the game, where actions cannot be listed. */
  suggestions: Suggestion[];
  /** The fallback action, for players who decide nothing. */
  fallback: string;
};

/** The parts of all actions, as sent. */
export type PartsOnWire = {
  /** All distinct parts, by first occurrence. */
  words: PartOnWire[];
  /** By action: the indices of its parts in `words`, in order. */
  of: number[][];
};

/** An [`ActionPart`], as sent: the core has no schemas, and a test compares the two forms. */
export type PartOnWire = {
  /** The kind of answer, as a heading. */
  name: string;
  /** The answer, in words for beginners. */
  label: string;
};

/** A suggested action. */
export type Suggestion = {
  /** The action's text. */
  action: string;
  /** The action and its consequence, in the game's words. */
  words: string;
};

/** The unconfirmed steps of a viewer. */
export type Drafted = {
  /** Revision: grows with every change of a draft at the table, and counts as 0 without one. Frames of equal version and revision are equal. */
  revision: number;
  /** The number of the question that its first step answers. */
  number: number;
  /** The steps, in order. */
  steps: DraftedStep[];
  /** True if the outcome of the last step stays hidden until the draft is confirmed. */
  hides_last: boolean;
};

/** A step of a draft. */
export type DraftedStep = {
  /** The action's text. */
  action: string;
  /** The action in words. */
  words: string;
};

/** A seat as the viewer sees it. */
export type SeatLine = {
  /** The player of the seat. */
  holder: Holder;
  /** Colour of the seat in the drawing, as in CSS. */
  color: string;
  /** True if the seat owes a decision; `None` if the viewer may not know. */
  owes: boolean | null;
};

/** The player of a seat. */
export type Holder = "open" | {
  person: {
    /** Display name. */
    name: string;
  };
} | {
  agent: string;
};

/** A line of the log. */
export type LogLine = {
  /** Number among the lines that the viewer sees, from 0. */
  number: number;
  /** The event as a sentence. */
  text: string;
  /** True for details, such as arithmetic. */
  detail: boolean;
};

/** The end of a game, with places and scores. */
export type Ending = {
  /** The reason of the end. */
  end: string;
  /** Places by seat, from 1. */
  places: number[];
  /** Scores by seat. */
  scores: number[];
  /** Unit of the scores. */
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

/** A change of a list of texts: position, number of removed texts, inserted texts. */
export type Change = [number, number, string[]];

/** A changed seat: its index and its new state. */
export type SeatChange = [number, SeatLine];

/** The change from one frame of a viewer to the next; of the frame's fields it has those that changed. */
export type Patch = {
  /** Version of the frame that the patch applies to. */
  since: number;
  /** Revision of the draft in that frame. */
  since_revision: number;
  /** Version of the new frame. */
  version: number;
  /** Revision of the draft in the new frame. */
  revision: number;
  /** Changes of the lines of the drawing, the last line first, so positions refer to the old drawing. A line is an element, or the begin or end of a group. */
  drawing: Change[];
  /** Changes of the lines of the text, the last line first. */
  text: Change[];
  /** The new question to the viewer; null if none is open any more. */
  ask?: Ask | null;
  /** The viewer's new draft; null if there is none any more. */
  draft?: Drafted | null;
  /** Seats with another player or another state. */
  seats?: SeatChange[];
  /** Number of log lines that stay. */
  log_from: number;
  /** Log lines that follow them. */
  log: LogLine[];
  /** The end of the game. */
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
