/** What is told about repositories. */
declare module '#events' {
  interface Events {
    'repository.created': RepositoryEvent & {
      /** The labels that were asked for; empty for none. */
      readonly label_set: string
    }
    'repository.deleted': RepositoryEvent
    /** An administrator took its deletion back. */
    'repository.undeleted': RepositoryEvent
    'repository.renamed': RepositoryEvent & { readonly old_name: string }
    'repository.transferred': RepositoryEvent & { readonly old_owner_id: number }
    /** Somebody was asked to take it over. */
    'repository.offered': RepositoryEvent & { readonly recipient_id: number }
    'repository.archived': RepositoryEvent
    'repository.unarchived': RepositoryEvent
    /** Everybody may see it from now on, or no longer. */
    'repository.published': RepositoryEvent
    'repository.hidden': RepositoryEvent
    /** A fork is created as any other repository: both are told. */
    'repository.forked': RepositoryEvent & { readonly parent_id: number }
    'repository.starred': RepositoryEvent
    /** By somebody who asked for it; what is watched because it was made or given is not told. */
    'repository.watched': RepositoryEvent
    /** It was made from a template. What others keep about the template is theirs to copy, if it was asked for. */
    'repository.generated': RepositoryEvent & {
      readonly template_id: number
      readonly wants_labels: boolean
      readonly wants_webhooks: boolean
      readonly wants_protections: boolean
    }
    'refs.moved': RefsMovedEvent
    'repository.default_branch_changed': RepositoryEvent & {
      readonly old_branch: string
      readonly branch: string
    }
  }
}

/** Refs of its code that moved in one transaction, however many they were. */
export interface RefsMovedEvent {
  readonly repository_id: number
  /** `push` by git, `api` by a request, `mirror` following a source, `import` from one, `initial` with the repository. */
  readonly cause: 'push' | 'api' | 'mirror' | 'import' | 'initial'
  /** Compat: what a deploy key pushes, and what a mirror fetches, counts as the owner's of the repository. */
  readonly actor_id: number
  readonly deploy_key_id: number | null
  readonly updates: readonly { readonly name: string; readonly old: string; readonly new: string }[]
}

/** Ids and facts only; of a deleted repository, the name is all that is left. */
export interface RepositoryEvent {
  readonly repository_id: number
  readonly owner_id: number
  readonly name: string
  readonly actor_id: number
}

export function eventOf(
  repo: { readonly id: number; readonly owner_id: number; readonly name: string },
  actorId: number,
): RepositoryEvent {
  return { repository_id: repo.id, owner_id: repo.owner_id, name: repo.name, actor_id: actorId }
}
