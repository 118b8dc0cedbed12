/** What is told about organizations and their teams. */
declare module '#events' {
  interface Events {
    /** A team has every repository of its organization from now on. */
    'team.includes_all': TeamEvent
  }
}

export interface TeamEvent {
  readonly team_id: number
  readonly organization_id: number
}
