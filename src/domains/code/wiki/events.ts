/** Events of wikis. */
declare module '#events' {
  interface Events {
    'wiki.changed': WikiEvent
  }
}

/** Emitted for changes over the API and the web UI; a git push to a wiki emits nothing. */
export interface WikiEvent {
  readonly repository_id: number
  readonly actor_id: number
  /** The name of the page, as in its URL. */
  readonly page: string
  readonly action: 'created' | 'edited' | 'deleted'
  /** The commit message. */
  readonly comment: string
}
