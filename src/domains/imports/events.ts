/** What is told about mirrors. */
import type { RefUpdate } from '#git'

declare module '#events' {
  interface Events {
    'mirror.synced': MirrorEvent
  }
}

/** The refs that followed their source. */
export interface MirrorEvent {
  readonly repository_id: number
  readonly updates: readonly Pick<RefUpdate, 'name' | 'old' | 'new'>[]
}
