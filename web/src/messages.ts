/**
 * The messages of a table's socket, derived from the server's types. docs/reference/serve.md
 * describes them.
 */

import type { FromPage, Parts, SomeParts, ToOwnPage, ToPage } from "./protocol";

export type { Change, Parts } from "./protocol";

/** Fields without null, because the server omits them instead. */
type Given<T> = { [Name in keyof T]: Exclude<T[Name], null> };

export type Frame = Extract<ToOwnPage, { type: "frame" }>;

/** The question of a message: whole, or as changes of the last one. */
export type Asked = Given<Pick<SomeParts, "ask" | "ask_changes">>;

/** Changes since the last frame. If `parts` is missing, another patch follows at once. */
export type Patch = Given<Omit<Extract<ToOwnPage, { type: "patch" }>, "parts">> & { parts?: Partial<Parts> & Asked };

/** Messages to a page. Frames and patches have rendered parts instead of data. */
export type Told = Frame | Patch | Exclude<ToPage, { type: "frame" | "patch" }>;

/** An answer that takes effect at once. */
export type Act = Extract<FromPage, { type: "act" }>;

/** A change of a draft. */
export type Draft = Extract<FromPage, { type: "draft" }>;
