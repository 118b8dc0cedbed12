/** Events of statuses. */
declare module '#events' {
  interface Events {
    'status.created': StatusEvent
  }
}

export interface StatusEvent {
  readonly repository_id: number
  readonly status_id: number
  readonly actor_id: number
}
