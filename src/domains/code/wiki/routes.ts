/** REST routes of wiki pages. */
import { Type } from 'typebox'
import { type CanRead, inRepository, RepositoryPath } from '#domains/code/repositories'
import type { Context } from '#platform/context'
import {
  created,
  listed,
  listOf,
  noContent,
  ok,
  PageQuery,
  pageFields,
  pageHeaders,
  pageOf,
  type Route,
  routesOf,
} from '#platform/rest'
import { nameOfSegment } from './names.ts'
import { getWiki, openToBrowse, openWikiToWrite, type Wiki } from './open-wiki.ts'
import { getPage, listPages, listRevisions } from './read-pages.ts'
import { WritePage } from './schemas.ts'
import {
  presentListed,
  presentPage,
  presentRevisions,
  WikiCommitList,
  WikiPage,
  WikiPageMetaData,
} from './wire.ts'
import { createPage, deletePage, editPage } from './write-page.ts'

const route = routesOf({ tag: 'repository', scopes: ['repository'] })
const PagePath = inRepository({ pageName: Type.String() })
const BASE = '/repos/:owner/:repo/wiki'

export const wikiRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: `${BASE}/pages`,
    operationId: 'repoGetWikiPages',
    summary: 'List wiki pages',
    params: RepositoryPath,
    query: PageQuery,
    answers: { 200: listOf(WikiPageMetaData) },
    open: openToBrowse,
    handle: async (visit) => {
      const { ctx, query, opened } = visit
      const { pages, total } = await listPages(ctx, await getWiki(ctx, opened), pageOf(ctx, query))
      return listed(
        visit,
        pages.map((page) => presentListed(page, opened, ctx.site)),
        total,
      )
    },
  }),
  route({
    method: 'POST',
    path: `${BASE}/new`,
    operationId: 'repoCreateWikiPage',
    summary: 'Create a wiki page',
    bearsContent: true,
    params: RepositoryPath,
    body: WritePage,
    answers: { 201: WikiPage },
    open: openWikiToWrite,
    handle: async ({ ctx, body, opened }) => {
      const { wiki, name } = await createPage(ctx, opened, body)
      return created(await show(ctx, opened.repo, wiki, name))
    },
  }),
  route({
    method: 'GET',
    path: `${BASE}/page/:pageName`,
    operationId: 'repoGetWikiPage',
    summary: 'Get a wiki page',
    params: PagePath,
    answers: { 200: WikiPage },
    open: openToBrowse,
    handle: async ({ ctx, address, opened }) =>
      ok(await show(ctx, opened, await getWiki(ctx, opened), nameIn(address))),
  }),
  route({
    method: 'PATCH',
    path: `${BASE}/page/:pageName`,
    operationId: 'repoEditWikiPage',
    summary: 'Update or rename a wiki page',
    bearsContent: true,
    params: PagePath,
    body: WritePage,
    answers: { 200: WikiPage },
    open: openWikiToWrite,
    handle: async ({ ctx, address, body, opened }) => {
      const { wiki, name } = await editPage(ctx, opened, nameIn(address), body)
      return ok(await show(ctx, opened.repo, wiki, name))
    },
  }),
  route({
    method: 'DELETE',
    path: `${BASE}/page/:pageName`,
    operationId: 'repoDeleteWikiPage',
    summary: 'Delete a wiki page',
    params: PagePath,
    answers: { 204: null },
    open: openWikiToWrite,
    handle: async ({ ctx, address, opened }) => {
      await deletePage(ctx, opened, nameIn(address))
      return noContent()
    },
  }),
  route({
    method: 'GET',
    path: `${BASE}/revisions/:pageName`,
    operationId: 'repoGetWikiPageRevisions',
    summary: "List a wiki page's revisions",
    params: PagePath,
    query: Type.Object({ page: pageFields.page }),
    answers: { 200: WikiCommitList },
    open: openToBrowse,
    handle: async (visit) => {
      const { ctx, query, address, opened } = visit
      const wiki = await getWiki(ctx, opened)
      const revisions = await listRevisions(ctx, wiki, nameIn(address), pageOf(ctx, query).number)
      const headers = pageHeaders(visit, revisions.total, false)
      return { ...ok(presentRevisions(revisions)), headers }
    },
  }),
]

async function show(ctx: Context, repo: CanRead<'wiki'>, wiki: Wiki, name: string): Promise<WikiPage> {
  return presentPage(await getPage(ctx, wiki, name), repo, ctx.site)
}

/** Uses the raw path: after decoding, a plus that stands for a space and a literal plus are the same. */
function nameIn({ path }: { readonly path: string }): string {
  return nameOfSegment(path.replace(/\/+$/, '').split('/').at(-1) ?? '')
}
