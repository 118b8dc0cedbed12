/** What is told about organizations and their teams. */
declare module '#events' {
  interface Events {
    /** A team has every repository of its organization from now on. */
    'team.includes_all': TeamEvent
    /** Somebody is in a team from now on. */
    'team.joined': TeamEvent & { readonly user_id: number }
  }
}

export interface TeamEvent {
  readonly team_id: number
  readonly organization_id: number
}
