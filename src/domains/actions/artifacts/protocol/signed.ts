/** Signed URLs for one operation and a limited time, for clients that send no credentials with it. */
import type { Context } from '#platform/context'
import { notFound, Problem } from '#platform/problem'
import { findArtifact } from '../record/store.ts'
import type { ArtifactRow } from '../tables.ts'

const PURPOSE = 'address of an artifact'
const GOOD_FOR_MS = 3_600_000
export const SERVICE = '/twirp/github.actions.results.api.v1.ArtifactService'

type Act = 'upload' | 'download'

interface Promised {
  readonly act: Act
  readonly id: number
  /** `created_at` of the artifact, so that the URL is not valid for a later artifact of the same name. */
  readonly since: number
  readonly until: number
}

const PATHS: Readonly<Record<Act, string>> = {
  upload: `${SERVICE}/UploadArtifact`,
  download: `${SERVICE}/DownloadArtifact`,
}

export function signedUrl(ctx: Context, act: Act, artifact: ArtifactRow): string {
  const promised: Promised = {
    act,
    id: artifact.id,
    since: artifact.created_at.getTime(),
    until: ctx.now().getTime() + GOOD_FOR_MS,
  }
  return `${ctx.site.url}${PATHS[act]}?sig=${ctx.seal.seal(PURPOSE, JSON.stringify(promised))}`
}

export async function openSigned(ctx: Context, act: Act, sig: string | undefined): Promise<ArtifactRow> {
  const promised = read(ctx, sig ?? '')
  if (promised?.act !== act || promised.until < ctx.now().getTime())
    throw new Problem('unauthenticated', 'signature is not valid any more')
  const artifact = await findArtifact(ctx.db, promised.id)
  if (artifact?.created_at.getTime() !== promised.since) throw notFound('artifact', promised.id)
  return artifact
}

function read(ctx: Context, sig: string): Promised | undefined {
  try {
    return JSON.parse(ctx.seal.open(PURPOSE, sig)) as Promised
  } catch {
    return undefined
  }
}
