/** The tables of imports and mirrors. */
import type { Generated, JSONColumnType, Selectable } from 'kysely'
import type { StorageId } from '#git'

declare module '#platform/db' {
  interface Tables {
    import: ImportTable
    import_page: ImportPageTable
    mirror: MirrorTable
    push_mirror: PushMirrorTable
    import_host: HostTable
    imported_author: AuthorTable
  }
}

/** The request without its credentials. */
export interface ImportOptions {
  readonly name: string
  readonly url: string
  readonly description: string
  readonly isPrivate: boolean
  /** Sync interval of a mirror; null: import once. */
  readonly mirrorEveryS: number | null
  readonly withWiki: boolean
  readonly withReleases: boolean
  readonly withLabels: boolean
  readonly withMilestones: boolean
  /** Including their comments. */
  readonly withIssues: boolean
  /** Including their comments and reviews. Absent in older rows. */
  readonly withPulls?: boolean
  readonly service: string
  /** Absent in older rows. */
  readonly withLfs?: boolean
  /** Null: derived from `url`. */
  readonly lfsEndpoint?: string | null
  /** Null: derived from `url`. Absent in older rows. */
  readonly apiUrl?: string | null
  /** Said by an operator only: others cannot say who somebody is. */
  readonly people?: {
    /** Accounts by lower-case login at the source. */
    readonly as: readonly (readonly [string, number])[]
    readonly isByLogin: boolean
  }
}

/** The failure reported to the waiting client. */
export interface Failure {
  readonly kind: 'conflict' | 'invalid' | 'forbidden' | 'unavailable'
  readonly message: string
}

/** Names at the source. */
export interface LeftOut {
  readonly collaborators: readonly string[]
  readonly protections: readonly string[]
}

interface ImportTable {
  id: Generated<number>
  owner_id: number
  actor_id: number
  name_key: string
  options: JSONColumnType<ImportOptions>
  credentials: string
  state: Generated<'waiting' | 'running' | 'done' | 'failed' | 'cancelled'>
  attempts: Generated<number>
  /** Attempts that ended because the source wanted to be asked later. */
  postponed: Generated<number>
  /** Failures of the source since the last stored page. */
  faults: Generated<number>
  resumes_at: Generated<Date | null>
  repository_id: Generated<number | null>
  /** Of the attempt that runs. */
  storage_id: Generated<StorageId | null>
  left_out: JSONColumnType<LeftOut | null, string | null | undefined, string | null>
  failure: JSONColumnType<Failure | null, string | null | undefined, string | null>
  created_at: Date
  ended_at: Generated<Date | null>
}

/** Records gathered so far. */
interface ImportPageTable {
  import_id: number
  kind: 'labels' | 'milestones' | 'issues' | 'comments' | 'pulls' | 'remarks' | 'reviews' | 'files'
  place: number
  size: number
  number: number
  had: number
  next_url: Generated<string>
  content: string
}

interface MirrorTable {
  repository_id: number
  url: string
  credentials: string
  has_lfs: Generated<boolean>
  lfs_endpoint: Generated<string | null>
  last_error: Generated<string>
}

interface PushMirrorTable {
  id: Generated<number>
  repository_id: number
  name: string
  url: string
  credentials: string
  interval_s: number
  syncs_on_push: boolean
  next_at: Date | null
  last_error: Generated<string>
  updated_at: Generated<Date | null>
  created_at: Date
}

interface HostTable {
  id: Generated<number>
  /** `gitea` is also Forgejo. `export`: the records came in a folder, which may say anything. */
  service: 'github' | 'gitlab' | 'gitea' | 'export'
  url: string
}

/** Of imported records, who had no account here. */
interface AuthorTable {
  host_id: number
  author_id: number
  name: string
  account_id: number | null
  decided_by: 'identity' | 'administrator' | null
  decided_at: Date | null
}

export type HostRow = Selectable<HostTable>
export type Host = Omit<HostRow, 'id'>
export type ImportRow = Selectable<ImportTable>
export type ImportPageRow = Selectable<ImportPageTable>
export type MirrorRow = Selectable<MirrorTable>
export type PushMirrorRow = Selectable<PushMirrorTable>
