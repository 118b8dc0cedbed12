/** What all LFS routes have in common. */
import { type TProperties, Type } from 'typebox'
import { findTokenBearer } from '#domains/code/keys'
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
import type { Authenticated, PresentedCredentials } from '#platform/rest'
import { tellFailure } from '../wire.ts'
import type { DeployKeyBearer, LfsBearer } from './open-lfs.ts'
import { findSshBearer } from './ssh-bearer.ts'

export const ROOT = '/:owner/:repo/info/lfs'

export const lfsFacts = {
  scopes: ['repository'],
  // Compat: credential helpers that sign in with a browser know Gitea by this realm.
  challenge: 'Basic realm="Gitea", charset="UTF-8"',
  authenticate,
  tellFailure,
}

export function inLfs<P extends TProperties>(properties: P) {
  return Type.Object({ owner: Type.String(), repo: Type.String(), ...properties })
}

/** Tokens of SSH, and deploy tokens, which come in HTTP Basic as for git. */
async function authenticate(
  ctx: Context,
  { token }: PresentedCredentials,
): Promise<Authenticated<LfsBearer> | undefined> {
  if (token === undefined) return undefined
  const bySsh = findSshBearer(ctx, token.text)
  if (bySsh !== undefined) return { bearer: bySsh }
  const bearer = token.scheme === 'basic' ? await findDeployBearer(ctx, token.text) : undefined
  return bearer && { bearer }
}

async function findDeployBearer(ctx: Context, token: string): Promise<DeployKeyBearer | undefined> {
  const bearer = await findTokenBearer(ctx, token)
  return (
    bearer && {
      ...bearer,
      renew: async (ctx) => {
        const now = await findDeployBearer(ctx, token)
        if (now === undefined) throw new Problem('unauthenticated', 'deploy key was deleted')
        return now
      },
    }
  )
}
