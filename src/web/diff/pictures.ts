/** Pictures before and after a change: addresses and sizes. */
import type { Comparison } from '#git'
import { type Html, html, type PageVisit } from '#platform/page'
import { links, type RepositoryPath, repositoryAt } from '../links.ts'
import { diffWords as words } from '../words/diff.ts'
import { bytes } from '../words/site.ts'
import type { Blobs, FilePatch } from './patch.ts'

interface Picture {
  readonly address: string
  readonly width: number
  readonly height: number
  readonly size: number
}

/** The sides on which the picture exists. */
export interface Pictures {
  readonly before: Picture | undefined
  readonly after: Picture | undefined
}

/** Limit for one page; the beginning of each picture is read to determine its dimensions. */
const PICTURES_MAX = 20
const ENDING = /\.(png|jpe?g|gif|webp)$/i

/** Only for repositories: raw files of a wiki have no addresses. */
export async function findPictures(
  { ask }: Pick<PageVisit, 'ask'>,
  { owner, repo, from, to }: Comparison & Partial<RepositoryPath>,
  files: readonly (Blobs & Pick<FilePatch, 'path' | 'oldPath' | 'isBinary'>)[],
): Promise<ReadonlyMap<string, Pictures>> {
  const wanted = files.filter(({ isBinary, path }) => isBinary && ENDING.test(path)).slice(0, PICTURES_MAX)
  const oids = wanted.flatMap(({ oldOid, oid }) => [oldOid, oid]).filter((it) => it !== null)
  if (oids.length === 0 || owner === undefined || repo === undefined) return new Map()
  const sizes = await ask('repoFindPictures', { owner, repo }, { shas: [...new Set(oids)] })
  const pictureAt = (oid: string | null, commit: string | null, path: string): Picture | undefined => {
    const size = oid === null ? undefined : sizes.get(oid)
    if (size === undefined || commit === null) return undefined
    const address = links.raw(repositoryAt({ owner, repo }), { kind: 'commit', name: commit }, path)
    return { ...size, address }
  }
  const found = new Map<string, Pictures>()
  for (const { path, oldPath, oldOid, oid } of wanted) {
    const before = pictureAt(oldOid, from, oldPath ?? path)
    const after = pictureAt(oid, to, path)
    if (before !== undefined || after !== undefined) found.set(path, { before, after })
  }
  return found
}

/** Side by side, with width and height set so that nothing moves. */
export function picturesView(path: string, { before, after }: Pictures): Html {
  const one = (picture: Picture | undefined, name: string) =>
    picture !== undefined &&
    html`<figure><figcaption>${name} <span class="quiet-text">${words.picture(picture.width, picture.height, bytes(picture.size))}</span></figcaption><img src="${picture.address}" alt="${words.pictureOf(name, path)}" width="${picture.width}" height="${picture.height}" loading="lazy" decoding="async"></figure>`
  return html`<div class="diff-pictures">${one(before, words.before)}${one(after, words.after)}</div>`
}
