/** What is told about packages: of versions that anybody can see. */
declare module '#events' {
  interface Events {
    'package.created': PackageEvent
    'package.deleted': PackageEvent
  }
}

/** All that can be told of a version when it is gone. */
export interface PackageEvent {
  readonly version_id: number
  readonly owner_id: number
  readonly actor_id: number
  /** 0: linked to none. */
  readonly repository_id: number
  readonly creator_id: number | null
  readonly type: string
  readonly name: string
  readonly version: string
  readonly created_at: string
}
