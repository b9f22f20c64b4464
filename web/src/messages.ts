/** The messages of a table's socket, from the server's types; docs/reference/serve.md describes them. */

import type { FromPage, Parts, SomeParts, ToOwnPage, ToPage } from "./protocol";

export type { Change, Parts } from "./protocol";

/** Fields without null: the server omits them instead. */
type Given<T> = { [Name in keyof T]: Exclude<T[Name], null> };

export type Frame = Extract<ToOwnPage, { type: "frame" }>;

/** The question. */
export type Asked = Given<Pick<SomeParts, "ask" | "ask_changes">>;

/** Changes since the last frame. Without `parts`, another patch follows at once. */
export type Patch = Given<Omit<Extract<ToOwnPage, { type: "patch" }>, "parts">> & { parts?: Partial<Parts> & Asked };

/** Messages with parts of the page instead of data. */
export type Told = Frame | Patch | Exclude<ToPage, { type: "frame" | "patch" }>;

/** An answer that takes effect at once. */
export type Act = Extract<FromPage, { type: "act" }>;

/** A change of a draft. */
export type Draft = Extract<FromPage, { type: "draft" }>;
