/**
 * What files can be attached to. A slice says who may read one of its own; the slice `attachments` keeps and serves the
 * files, and asks. So neither those who own nor those who serve know each other by name.
 */
import type { Context } from '#platform/context'

declare module '#platform/context' {
  interface World {
    /** Who is asked whether somebody may read a file, by what it is attached to. */
    readonly attachables: ReadonlyMap<AttachableKind, Attachable>
  }
}

/** Each has a column of its own in the table `attachment`. */
export type AttachableKind = 'release' | 'issue' | 'comment'

export interface Attachable {
  readonly kind: AttachableKind
  /** Gives the proof that the caller may read the one of this number; refuses everybody else. */
  open(ctx: Context, id: number): Promise<object>
}

export function attachablesByKind(
  attachables: readonly Attachable[],
): ReadonlyMap<AttachableKind, Attachable> {
  return new Map(attachables.map((it) => [it.kind, it]))
}
