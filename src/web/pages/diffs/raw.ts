/** Differences as text, for programs and for people who save them. */
import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import { openCode } from '#domains/contents'
import { openPull, openPulls, spanOf } from '#domains/pulls'
import { findCommit, openDiff, openPatches, resolveRevision } from '#git'
import { notFound } from '#platform/problem'
import { type RawAnswer, type RawRoute, rawRoute } from '#platform/rest'

const facts = { method: 'GET' as const, scopes: ['repository'], takesSession: true }
const Kind = Type.Union([Type.Literal('diff'), Type.Literal('patch')])
const openers = { diff: openDiff, patch: openPatches }
const SHA_MAX = 64

export const diffsRoutes: readonly RawRoute[] = [
  rawRoute({
    ...facts,
    path: '/:owner/:repo/commit/:sha.:kind(^(?:diff|patch)$)',
    operationId: 'webDownloadCommit',
    params: Type.Object({
      owner: Type.String(),
      repo: Type.String(),
      sha: Type.String({ maxLength: SHA_MAX }),
      kind: Kind,
    }),
    open: openCode,
    handle: async ({ ctx, params, opened }) => {
      const found = await resolveRevision(ctx, opened.storage_id, params.sha)
      const commit = found && (await findCommit(ctx, opened.storage_id, found.oid))
      if (commit === undefined) throw notFound('commit', params.sha)
      const span = { from: commit.parents[0] ?? null, to: commit.oid }
      return plain(await openers[params.kind](ctx, opened.storage_id, span, { withBinary: false }))
    },
  }),
  rawRoute({
    ...facts,
    path: '/:owner/:repo/pulls/:index.:kind(^(?:diff|patch)$)',
    operationId: 'webDownloadPull',
    params: Type.Object({ owner: Type.String(), repo: Type.String(), index: Type.Integer(), kind: Kind }),
    open: openPulls,
    handle: async ({ ctx, params, opened }) => {
      const pull = await openPull(ctx, opened, params.index)
      const span = await spanOf(ctx, opened.storage_id, pull)
      return plain(await openers[params.kind](ctx, opened.storage_id, span, { withBinary: false }))
    },
  }),
]

/** Browsers show it and run nothing of it. */
function plain(body: Readable): RawAnswer {
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'private, no-cache',
  }
  return { status: 200, headers, body }
}
