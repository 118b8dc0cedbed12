/** Events about visible package versions. */
declare module '#events' {
  interface Events {
    'package.created': PackageEvent
    'package.deleted': PackageEvent
  }
}

/** Everything that webhooks need when the version is deleted. */
export interface PackageEvent {
  readonly version_id: number
  readonly owner_id: number
  readonly actor_id: number
  /** 0 if the package is not linked to a repository. */
  readonly repository_id: number
  readonly creator_id: number | null
  readonly type: string
  readonly name: string
  readonly version: string
  readonly created_at: string
}
