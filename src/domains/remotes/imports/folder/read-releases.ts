/** Releases of an export, with their files stored. */
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { ImportedRelease } from '#domains/code/releases'
import type { Context } from '#platform/context'
import { invalid } from '#platform/problem'
import { type Known, takeFiles } from '../records/known.ts'
import { factsOf, RELEASES_MAX, releaseAuthorOf, SourceRelease } from '../releases/import-releases.ts'
import { text } from '../sources/fields.ts'
import type { ExportedRepository } from './exported-repository.ts'

const ASSETS_MAX = 5_000
const Release = Type.Intersect([
  Type.Omit(SourceRelease, ['assets']),
  Type.Object({
    original_author: text,
    assets: Type.Array(Type.Object({ uuid: text, name: text }), { maxItems: ASSETS_MAX }),
  }),
])
const RELEASE = Compile(Release)

/** Oldest first; the export lists the newest first. */
export async function readReleases(
  ctx: Context,
  repository: ExportedRepository,
  known: Known,
): Promise<ImportedRelease[]> {
  const releases: ImportedRelease[] = []
  for await (const record of repository.lines('releases')) {
    if (!RELEASE.Check(record)) throw invalid('releases.jsonl has a record that is not of the format')
    if (releases.length >= RELEASES_MAX) throw invalid('Migration failed: too many releases')
    await repository.storeFiles(ctx, record)
    const assets = takeFiles(known, record.assets)
    releases.push({ ...factsOf(record, ctx.now()), ...releaseAuthorOf(record, known), assets })
  }
  return releases.reverse()
}
