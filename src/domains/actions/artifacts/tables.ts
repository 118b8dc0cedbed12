/** The tables of artifacts. */
import type { Generated, Selectable } from 'kysely'

declare module '#platform/db' {
  interface Tables {
    action_artifact: ArtifactTable
    action_artifact_part: PartTable
  }
}

interface ArtifactTable {
  id: Generated<number>
  repository_id: number
  run_id: number
  name: string
  protocol: 'v3' | 'v4'
  is_complete: Generated<boolean>
  bytes: Generated<number>
  digest: string | null
  created_at: Date
  updated_at: Date
  expires_at: Date
}
export type ArtifactRow = Selectable<ArtifactTable>

interface PartTable {
  object_key: string
  artifact_id: number | null
  path: Generated<string>
  block: Generated<string>
  position: number | null
  bytes: Generated<number>
  is_gzipped: Generated<boolean>
  created_at: Date
}
export type PartRow = Selectable<PartTable>
