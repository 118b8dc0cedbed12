/** Events of organizations and teams. */
declare module '#events' {
  interface Events {
    /** A team now has every repository of its organization. */
    'team.includes_all': TeamEvent
    /** A user was added to a team. */
    'team.joined': TeamEvent & { readonly user_id: number }
  }
}

export interface TeamEvent {
  readonly team_id: number
  readonly organization_id: number
}
