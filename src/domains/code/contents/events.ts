/** Events of contents, besides `refs.moved`. */
declare module '#events' {
  interface Events {
    /** By a request for this one tag. A push that deletes tags emits only `refs.moved`. */
    'tag.deleted': TagEvent
  }
}

export interface TagEvent {
  readonly repository_id: number
  readonly actor_id: number
  readonly tag: string
}
