/** Events of releases. */
declare module '#events' {
  interface Events {
    'release.published': ReleaseEvent
    'release.updated': ReleaseEvent
    'release.deleted': ReleaseEvent & { readonly tag: string; readonly title: string }
  }
}

export interface ReleaseEvent {
  readonly repository_id: number
  readonly release_id: number
  readonly actor_id: number
}
