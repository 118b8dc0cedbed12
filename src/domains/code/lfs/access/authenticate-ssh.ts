/** `git-lfs-authenticate`: a client that has proven an SSH key gets the address of LFS and a token for it. */
import type { DeployBearer } from '#domains/code/keys'
import type { Context } from '#platform/context'
import { type LfsPath, openToDownload, openToUpload, pathOf } from './open-lfs.ts'
import { issueSshToken, LIVES_S, type Operation } from './ssh-bearer.ts'

/** The key that was proven, and its bearer if it is a deploy key. */
export interface ProvenKey {
  readonly fingerprint: string
  readonly bearer: DeployBearer | null
}

interface Endpoint {
  readonly href: string
  readonly header: { readonly Authorization: string }
  readonly expires_in: number
}

export async function authenticateSsh(
  ctx: Context,
  given: LfsPath,
  operation: Operation,
  { fingerprint, bearer }: ProvenKey,
): Promise<Endpoint> {
  const path = pathOf(given)
  const open = operation === 'upload' ? openToUpload : openToDownload
  const { repo } = await open(ctx, path, bearer)
  const claims = { fingerprint, accountId: ctx.actor?.id ?? null, repositoryId: repo.id, operation }
  return {
    href: `${ctx.site.url}/${path.owner}/${path.repo}.git/info/lfs`,
    header: { Authorization: `Bearer ${issueSshToken(ctx, claims)}` },
    expires_in: LIVES_S,
  }
}
