/** A remote server: git over HTTP, and the REST API of its service. */
import { importObjects } from '#domains/code/lfs'
import { HEAD_REFS } from '#domains/review/pulls'
import { fetchFrom, listRemote } from '#git'
import type { Context } from '#platform/context'
import { limitsOf } from '../limits.ts'
import { gatherRecords } from '../records/gather.ts'
import { nothingKnown } from '../records/known.ts'
import { hasReleases, importReleases } from '../releases/import-releases.ts'
import { remoteOf } from '../sources/source.ts'
import type { ImportRow } from '../tables.ts'
import { importWiki } from '../wiki/import-wiki.ts'
import type { Origin } from './origin.ts'

export function remoteOrigin(ctx: Context, order: ImportRow): Origin {
  const { url, service, withPulls, lfsEndpoint: endpoint = null } = order.options
  const remote = remoteOf(ctx, { url, credentials: order.credentials })
  return {
    known: nothingKnown(),
    list: (ctx) => listRemote(ctx, remote),
    gather: (ctx) => gatherRecords(ctx, order, remote),
    importWiki: (ctx) => importWiki(ctx, remote),
    importReleases: async (ctx, uploader) =>
      hasReleases(service) ? importReleases(ctx, remote, service, uploader) : [],
    fetch: async (ctx, storageId, policy) => {
      const also = withPulls ? [HEAD_REFS] : []
      return (await fetchFrom(ctx, storageId, remote, limitsOf(ctx), policy, also)).updates.length
    },
    importObjects: (ctx, to, pushed) =>
      importObjects(ctx, { remote, endpoint, ...limitsOf(ctx) }, to, pushed),
  }
}
