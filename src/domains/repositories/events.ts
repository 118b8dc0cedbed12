/** What is told about repositories. */
declare module '#events' {
  interface Events {
    'repository.created': RepositoryEvent
    'repository.deleted': RepositoryEvent
  }
}

/** Ids and facts only; of a deleted repository, the name is all that is left. */
export interface RepositoryEvent {
  readonly repository_id: number
  readonly owner_id: number
  readonly name: string
  readonly actor_id: number
}
