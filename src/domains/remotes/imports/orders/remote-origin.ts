/** A remote server: git over HTTP, and the REST API of its service. */
import { importObjects } from '#domains/code/lfs'
import { HEAD_REFS, headRef } from '#domains/review/pulls'
import { type FurtherRefs, fetchFrom, listRemote } from '#git'
import type { Context } from '#platform/context'
import { limitsOf } from '../limits.ts'
import { gatherRecords } from '../records/gather.ts'
import type { People } from '../records/match-people.ts'
import type { Numbers } from '../records/numbers.ts'
import { hasReleases, importReleases } from '../releases/import-releases.ts'
import { gatherSettings, type SourceSettings, takeOver } from '../settings/take-over.ts'
import { findService, hostOf } from '../sources/services.ts'
import { remoteOf } from '../sources/source.ts'
import { openApi } from '../sources/source-api.ts'
import type { ImportRow } from '../tables.ts'
import { importWiki } from '../wiki/import-wiki.ts'
import type { Origin } from './origin.ts'
import { findPeopleOf } from './people-of.ts'
import { keepLeftOut } from './store.ts'

const MERGE_REQUESTS = 'refs/merge-requests/*/head'

export function remoteOrigin(ctx: Context, order: ImportRow): Origin {
  const { url, service, lfsEndpoint: endpoint = null } = order.options
  const remote = remoteOf(ctx, { url, credentials: order.credentials })
  const api = findService(service) === undefined ? undefined : openApi(ctx, order)
  const people = new Map<string, number>()
  let matched: People = new Map()
  let settings: SourceSettings | undefined
  const known = { people, files: new Map(), host: api === undefined ? null : hostOf(api) }
  return {
    known,
    list: (ctx) => listRemote(ctx, remote),
    gather: async (ctx) => {
      if (api === undefined) return
      await gatherRecords(ctx, order, api)
      // Only an operator says who may do what here.
      settings = order.options.people && (await gatherSettings(ctx, api))
      const logins = settings?.collaborators.map(({ login }) => login) ?? []
      matched = await findPeopleOf(ctx, order, logins)
      for (const [login, { id }] of matched) people.set(login, id)
    },
    importWiki: (ctx) => importWiki(ctx, remote),
    importReleases: async (ctx, uploader) =>
      api !== undefined && hasReleases(service) ? importReleases(ctx, order, api, uploader, known) : [],
    fetch: async (ctx, storageId, policy, numbers) => {
      const also = headsOf(order, numbers)
      return (await fetchFrom(ctx, storageId, remote, limitsOf(ctx), policy, also)).updates.length
    },
    importObjects: (ctx, to, pushed) =>
      importObjects(ctx, { remote, endpoint, ...limitsOf(ctx) }, to, pushed),
    complete: async (ctx, made) => {
      if (settings !== undefined)
        await keepLeftOut(ctx.db, order, await takeOver(ctx, made, settings, matched))
    },
  }
}

/** Heads of pull requests, under the numbers that these get here. */
function headsOf({ options }: ImportRow, numbers: Numbers): FurtherRefs {
  if (!options.withPulls) return { patterns: [] }
  if (options.service !== 'gitlab') return { patterns: [HEAD_REFS] }
  return {
    patterns: [MERGE_REQUESTS],
    rename: (name) => {
      const number = /^refs\/merge-requests\/([1-9]\d{0,9})\/head$/.exec(name)?.[1]
      return number === undefined ? undefined : headRef(numbers.of(Number(number)))
    },
  }
}
