/** Artifacts as clients see them. Pure: no database, no clock. */
import { type Static, Type } from 'typebox'
import { apiOf, branchOf } from '#domains/actions/runs'
import { Time, time } from '#platform/rest'
import type { Site } from '#platform/site'
import type { ArtifactRow } from '../tables.ts'

export type Artifact = Static<typeof Artifact>
export const Artifact = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    size_in_bytes: Type.Integer(),
    url: Type.String(),
    archive_download_url: Type.String(),
    digest: Type.Optional(Type.String({ description: 'SHA-256 of the archive' })),
    expired: Type.Boolean(),
    workflow_run: Type.Object({
      id: Type.Integer(),
      repository_id: Type.Integer(),
      head_sha: Type.String(),
      head_branch: Type.Optional(Type.String()),
    }),
    created_at: Time,
    updated_at: Time,
    expires_at: Time,
  },
  { title: 'ActionArtifact' },
)

export const Artifacts = Type.Object(
  { artifacts: Type.Array(Artifact), total_count: Type.Integer() },
  { title: 'ActionArtifactsResponse' },
)

export interface ListedArtifact extends ArtifactRow {
  readonly head_sha: string
  readonly ref: string
}

interface Around {
  readonly site: Site
  readonly now: Date
  readonly repo: { readonly name: string; readonly owner: { readonly login: string } }
}

export function presentArtifact(artifact: ListedArtifact, { site, now, repo }: Around): Artifact {
  const url = `${apiOf(repo, site)}/actions/artifacts/${artifact.id}`
  return {
    id: artifact.id,
    name: artifact.name,
    size_in_bytes: artifact.bytes,
    url,
    archive_download_url: `${url}/zip`,
    ...(artifact.digest !== null && { digest: `sha256:${artifact.digest}` }),
    expired: artifact.expires_at < now,
    workflow_run: {
      id: artifact.run_id,
      repository_id: artifact.repository_id,
      head_sha: artifact.head_sha,
      ...branchOf(artifact.ref),
    },
    created_at: time(artifact.created_at),
    updated_at: time(artifact.updated_at),
    expires_at: time(artifact.expires_at),
  }
}
