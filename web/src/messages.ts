/** What the page and the server say to each other at a table, as the server's types say it; docs/reference/server-api.md tells it in words. */

import type { FromPage, Parts, SomeParts, ToOwnPage, ToPage } from "./protocol";

export type { Change, Parts } from "./protocol";

/** What the server leaves out is not there: it never says null in its place. */
type Given<T> = { [Name in keyof T]: Exclude<T[Name], null> };

export type Frame = Extract<ToOwnPage, { type: "frame" }>;

/** How a question is told. */
export type Asked = Given<Pick<SomeParts, "ask" | "ask_changes">>;

/** What changes of what was shown before. Without `parts`, another one follows at once. */
export type Patch = Given<Omit<Extract<ToOwnPage, { type: "patch" }>, "parts">> & { parts?: Partial<Parts> & Asked };

/** Frames and patches come as parts of the page, not as data. */
export type Told = Frame | Patch | Exclude<ToPage, { type: "frame" | "patch" }>;

/** An answer that happens at once, */
export type Act = Extract<FromPage, { type: "act" }>;

/** or what becomes of a draft of so many steps. */
export type Draft = Extract<FromPage, { type: "draft" }>;
