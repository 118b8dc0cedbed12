/**
 * Imports releases and their files from a source with Gitea's API. Files are stored as they arrive, and are
 * unreferenced until the repository is created.
 */
import { type Static, type TSchema, Type } from 'typebox'
import { storeFile } from '#domains/code/attachments'
import type { ImportedRelease } from '#domains/code/releases'
import type { Context } from '#platform/context'
import { invalid } from '#platform/problem'
import { limitsOf } from '../limits.ts'
import { accountOf, type Known } from '../records/known.ts'
import { cut, flag, text, timeOf } from '../sources/fields.ts'
import { type Listed, listPages } from '../sources/list-pages.ts'
import type { SourceApi } from '../sources/source-api.ts'
import type { ImportRow } from '../tables.ts'
import { GITLAB_RELEASES, type GitLabRelease, readGitLabRelease } from './gitlab-releases.ts'
import { KeptFiles } from './kept-files.ts'

const ASSETS_MAX = 5_000
const Asset = Type.Object({
  name: Type.String(),
  browser_download_url: Type.String(),
  /** Of GitHub: gives the bytes to whoever accepts them, also of private repositories. */
  url: text,
})
type SourceRelease = Static<typeof SourceRelease>
export const SourceRelease = Type.Object({
  tag_name: Type.String({ minLength: 1 }),
  target_commitish: text,
  name: text,
  body: text,
  draft: flag,
  prerelease: flag,
  created_at: text,
  published_at: text,
  author: Type.Optional(Type.Union([Type.Object({ login: Type.String() }), Type.Null()])),
  assets: Type.Optional(Type.Array(Asset, { maxItems: ASSETS_MAX })),
})
const RELEASES = { many: 'releases', one: 'release', path: '/releases?', item: SourceRelease }

export const RELEASES_MAX = 1_000
/** All releases are kept in memory until they are inserted. */
const TOLD_BYTES_MAX = 32 * 1024 * 1024
const SHORT_MAX = 255
const NOTE_MAX = 1_000_000

/** Services whose releases can be imported. */
export function hasReleases(service: string): boolean {
  return service === 'gitlab' || service === 'gitea' || service === 'forgejo' || service === 'github'
}

/** Oldest first. */
export async function importReleases(
  ctx: Context,
  order: ImportRow,
  api: SourceApi,
  uploader: { readonly id: number },
  known: Known,
): Promise<ImportedRelease[]> {
  const releases = await listReleases(ctx, api)
  const files = releases.reduce((sum, { assets = [] }) => sum + assets.length, 0)
  if (files > ASSETS_MAX) throw invalid('Migration failed: releases have too many attachments')
  const room = { bytes: limitsOf(ctx).bytesMax }
  const into = { uploader, room, kept: await KeptFiles.open(ctx, order) }
  const imported: ImportedRelease[] = []
  for (const release of releases.reverse()) {
    const assets: string[] = []
    for (const asset of release.assets ?? []) assets.push(await bringAsset(ctx, api, asset, into))
    imported.push({ ...factsOf(release, ctx.now()), ...releaseAuthorOf(release, known), assets })
  }
  return imported
}

async function listReleases(ctx: Context, api: SourceApi): Promise<SourceRelease[]> {
  const releases: SourceRelease[] = []
  let bytes = 0
  const isGitLab = api.name === 'gitlab'
  const listed: Listed<TSchema> = isGitLab ? GITLAB_RELEASES : RELEASES
  for await (const page of listPages(ctx, api, listed)) {
    const items = page.items as readonly (SourceRelease & GitLabRelease)[]
    releases.push(...(isGitLab ? items.map(readGitLabRelease) : items))
    bytes += page.bytes
    if (releases.length > RELEASES_MAX || bytes > TOLD_BYTES_MAX)
      throw invalid('Migration failed: too many releases')
  }
  return releases
}

/** All files together may be as large as a repository, and one file as large as an upload. */
async function bringAsset(
  ctx: Context,
  api: SourceApi,
  { name, browser_download_url, url: apiUrl }: Static<typeof Asset>,
  { uploader, room, kept }: Into,
): Promise<string> {
  const url = (api.name === 'github' && apiUrl) || browser_download_url
  const before = kept.take(url)
  if (before !== undefined) {
    room.bytes -= before.bytes
    return before.uuid
  }
  let bytes = 0
  const uuid = await storeFile(ctx, uploader, name, async (file) => {
    const { status } = await api.ask(ctx, {
      url,
      accept: 'application/octet-stream',
      answerBytesMax: Math.min(room.bytes, ctx.config['http.file_bytes_max']),
      timeoutMs: limitsOf(ctx).timeoutMs,
      into: file,
    })
    if (status !== 200) throw invalid('Migration failed: could not download a release attachment', { status })
    bytes = file.bytesWritten
  })
  room.bytes -= bytes
  await kept.keep(ctx, { url, uuid, bytes })
  return uuid
}

interface Into {
  readonly uploader: { readonly id: number }
  /** What the others may still have. */
  readonly room: { bytes: number }
  readonly kept: KeptFiles
}

/** The account here; else the person who imports is the author, and pages show the name at the source. */
export function releaseAuthorOf(
  { author, original_author }: Pick<SourceRelease, 'author'> & { readonly original_author?: string | null },
  known: Known,
): Pick<ImportedRelease, 'author_id' | 'original_author'> {
  const author_id = original_author ? null : accountOf(known, author)
  if (author_id !== null) return { author_id }
  return { original_author: cut(original_author || author?.login, SHORT_MAX) }
}

export function factsOf(
  release: Omit<SourceRelease, 'assets' | 'author'>,
  now: Date,
): Omit<ImportedRelease, 'assets'> {
  const is_draft = release.draft ?? false
  return {
    tag: cut(release.tag_name, SHORT_MAX),
    target: cut(release.target_commitish, SHORT_MAX),
    title: cut(release.name, SHORT_MAX),
    note: cut(release.body, NOTE_MAX),
    is_draft,
    is_prerelease: release.prerelease ?? false,
    created_at: timeOf(release.created_at) ?? now,
    published_at: is_draft ? null : (timeOf(release.published_at) ?? timeOf(release.created_at) ?? now),
  }
}
