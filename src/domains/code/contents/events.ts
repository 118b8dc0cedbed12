/** What is told about the content of repositories, besides `refs.moved`. */
declare module '#events' {
  interface Events {
    /** By a request for this one tag. A push that deletes tags tells `refs.moved` and nothing else. */
    'tag.deleted': TagEvent
  }
}

export interface TagEvent {
  readonly repository_id: number
  readonly actor_id: number
  readonly tag: string
}
