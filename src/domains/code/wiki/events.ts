/** What is told about wikis. */
declare module '#events' {
  interface Events {
    'wiki.changed': WikiEvent
  }
}

/** By way of the interface: what is pushed to a wiki is told to nobody. */
export interface WikiEvent {
  readonly repository_id: number
  readonly actor_id: number
  /** Its name, as in its address. */
  readonly page: string
  readonly action: 'created' | 'edited' | 'deleted'
  /** What was said about the change. */
  readonly comment: string
}
