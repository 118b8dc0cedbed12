/**
 * Owners of attachments. A slice decides who may read its own issue, comment or release; the slice `attachments` stores
 * and serves the files and calls it. So the slices do not depend on each other.
 */
import type { Context } from '#platform/context'

declare module '#platform/context' {
  interface World {
    /** The access checks for attachments, by kind of owner. */
    readonly attachables: ReadonlyMap<AttachableKind, Attachable>
  }
}

/** Each kind has its own column in the table `attachment`. */
export type AttachableKind = 'release' | 'issue' | 'comment'

export interface Attachable {
  readonly kind: AttachableKind
  /** Returns the proof that the caller may read the owner with this id; throws otherwise. */
  open(ctx: Context, id: number): Promise<object>
}

export function attachablesByKind(
  attachables: readonly Attachable[],
): ReadonlyMap<AttachableKind, Attachable> {
  return new Map(attachables.map((it) => [it.kind, it]))
}
