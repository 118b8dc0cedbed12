/** REST routes of the instance's public signing key. The per-repository routes return the same key. */
import { Type } from 'typebox'
import { openToSee, RepositoryPath } from '#domains/code/repositories'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'
import { asAnybody, ok, type Route, route } from '#platform/rest'
import { findOrMakeKey } from './signing-key.ts'

const PLAIN_TEXT = { 'content-type': 'text/plain;charset=utf-8' }
const answers = { 200: Type.String() }
const ofInstance = { method: 'GET', tag: 'miscellaneous', scopes: [], answers, open: asAnybody } as const
const ofRepository = {
  method: 'GET',
  tag: 'repository',
  scopes: ['repository'],
  answers,
  params: RepositoryPath,
  open: ({ ctx, params }: { ctx: Context; params: { owner: string; repo: string } }) =>
    openToSee(ctx, params),
} as const

export const signingRoutes: readonly Route[] = [
  route({
    ...ofInstance,
    path: '/signing-key.gpg',
    operationId: 'getSigningKey',
    summary: 'Get the GPG public key used to sign commits',
    handle: refuseGpg,
  }),
  route({
    ...ofInstance,
    path: '/signing-key.pub',
    operationId: 'getSigningKeySSH',
    summary: 'Get the SSH public key used to sign commits',
    handle: ({ ctx }) => answerKey(ctx),
  }),
  route({
    ...ofRepository,
    path: '/repos/:owner/:repo/signing-key.gpg',
    operationId: 'repoSigningKey',
    summary: "Get the GPG public key used to sign a repository's commits",
    handle: refuseGpg,
  }),
  route({
    ...ofRepository,
    path: '/repos/:owner/:repo/signing-key.pub',
    operationId: 'repoSigningKeySSH',
    summary: "Get the SSH public key used to sign a repository's commits",
    handle: ({ ctx }) => answerKey(ctx),
  }),
]

async function answerKey(ctx: Context) {
  const key = await findOrMakeKey(ctx)
  if (key === undefined) throw notFound('signing key', 'ssh')
  return { ...ok(`${key.public_key}\n`), headers: PLAIN_TEXT }
}

/** Always 404: the instance signs with SSH and has no GPG key. */
async function refuseGpg(): Promise<never> {
  throw notFound('signing key', 'gpg')
}
