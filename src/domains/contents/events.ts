/** What is told about the content of repositories. */
declare module '#events' {
  interface Events {
    'push.received': PushEvent
  }
}

/** One push, whatever its number of refs: all of them moved together. */
export interface PushEvent {
  readonly repository_id: number
  /** Compat: what a deploy key pushes counts as the owner's of the repository. */
  readonly actor_id: number
  readonly deploy_key_id: number | null
  readonly updates: readonly { readonly name: string; readonly old: string; readonly new: string }[]
}
