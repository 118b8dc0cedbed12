/** Pictures before and after a change: where each is, and how large. */
import { type ImageKind, imageKindOf } from '#domains/users'
import { type BlobRecord, type Comparison, findBlobs, type StorageId } from '#git'
import type { Context } from '#platform/context'
import { type Html, html } from '#platform/page'
import { links } from '../links.ts'
import { diffWords as words } from '../words/en/diff.ts'
import { bytes } from '../words/en/site.ts'
import type { Blobs, FilePatch } from './patch.ts'

/** What is compared, and the repository whose raw files have both sides; a wiki has no such files. */
export interface Source extends Comparison {
  readonly storageId: StorageId
  readonly repo: { readonly full_name: string } | null
}

interface Picture extends Pick<ImageKind, 'width' | 'height'> {
  readonly address: string
  readonly size: number
}

/** Of both sides, those that are there. */
export interface Pictures {
  readonly before: Picture | undefined
  readonly after: Picture | undefined
}

/** Of one page; the beginnings of so many are read to tell how large they are. */
const PICTURES_MAX = 20
const ENDING = /\.(png|jpe?g|gif|webp)$/i

/** What only calls itself a picture is none. */
export async function findPictures(
  ctx: Context,
  { storageId, repo, from, to }: Source,
  files: readonly (Blobs & Pick<FilePatch, 'path' | 'oldPath' | 'isBinary'>)[],
): Promise<ReadonlyMap<string, Pictures>> {
  const wanted = files.filter(({ isBinary, path }) => isBinary && ENDING.test(path)).slice(0, PICTURES_MAX)
  const oids = wanted.flatMap(({ oldOid, oid }) => [oldOid, oid]).filter((it) => it !== null)
  if (oids.length === 0 || repo === null) return new Map()
  const blobs = await findBlobs(ctx, storageId, [...new Set(oids)])
  const pictureAt = (oid: string | null, commit: string | null, path: string) =>
    oid === null || commit === null
      ? undefined
      : pictureOf(blobs.get(oid), links.raw(repo, { kind: 'commit', name: commit }, path))
  const found = new Map<string, Pictures>()
  for (const { path, oldPath, oldOid, oid } of wanted) {
    const before = pictureAt(oldOid, from, oldPath ?? path)
    const after = pictureAt(oid, to, path)
    if (before !== undefined || after !== undefined) found.set(path, { before, after })
  }
  return found
}

function pictureOf(blob: BlobRecord | undefined, address: string): Picture | undefined {
  const kind = blob === undefined ? undefined : imageKindOf(blob.data)
  return blob === undefined || kind === undefined ? undefined : { ...kind, address, size: blob.size }
}

/** Beside each other, each in the room that it will take. */
export function picturesView(path: string, { before, after }: Pictures): Html {
  const one = (picture: Picture | undefined, name: string) =>
    picture !== undefined &&
    html`<figure><figcaption>${name} <span class="quiet-text">${words.picture(picture.width, picture.height, bytes(picture.size))}</span></figcaption><img src="${picture.address}" alt="${words.pictureOf(name, path)}" width="${picture.width}" height="${picture.height}" loading="lazy" decoding="async"></figure>`
  return html`<div class="diff-pictures">${one(before, words.before)}${one(after, words.after)}</div>`
}
