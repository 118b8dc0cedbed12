/** Events of repositories. */
import type { Restriction } from '#domains/people/access'

declare module '#events' {
  interface Events {
    'repository.created': RepositoryEvent & {
      /** The name of the requested label set; empty for none. */
      readonly label_set: string
    }
    'repository.deleted': RepositoryEvent
    /** An administrator undeleted it. */
    'repository.undeleted': RepositoryEvent
    'repository.renamed': RepositoryEvent & { readonly old_name: string }
    'repository.transferred': RepositoryEvent & { readonly old_owner_id: number }
    /** A transfer awaits its recipient. */
    'repository.offered': RepositoryEvent & { readonly recipient_id: number }
    'repository.archived': RepositoryEvent
    'repository.unarchived': RepositoryEvent
    /** It became public, or private. */
    'repository.published': RepositoryEvent
    'repository.hidden': RepositoryEvent
    /** A fork also emits `repository.created`. */
    'repository.forked': RepositoryEvent & { readonly parent_id: number }
    'repository.starred': RepositoryEvent
    /** Only for an explicit watch, not for the automatic watches of creators and team members. */
    'repository.watched': RepositoryEvent
    /** Generated from a template. Other slices copy their part of the template, if the request wants it. */
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

/** Refs of the code that moved in one transaction. */
export interface RefsMovedEvent {
  readonly repository_id: number
  /** `push`: git; `api`: a request; `mirror`: a mirror sync; `import`; `initial`: the repository's first commit. */
  readonly cause: 'push' | 'api' | 'mirror' | 'import' | 'initial'
  /** Compat: for pushes with a deploy key and for mirror syncs, the repository's owner. */
  readonly actor_id: number
  readonly deploy_key_id: number | null
  readonly updates: readonly { readonly name: string; readonly old: string; readonly new: string }[]
  /** Of the token that moved them, if it has one. */
  readonly restriction?: Restriction
}

/** Ids and facts only; the name is all that remains of a deleted repository. */
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
