/** Files of issues, comments and releases: under the same uuid, so under the same address. */
import { buffer } from 'node:stream/consumers'
import { attachmentKey } from '#domains/code/attachments'
import { pictureTypeOf } from '#platform/rest'
import type { Move } from '../carry/carry.ts'
import { carry, Left } from '../carry/carry.ts'
import { id, number, text, timeOr } from '../source/fields.ts'
import { storeFile } from './store-file.ts'

const START_BYTES = 32
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

const attachments = carry({
  from: 'attachment',
  into: 'attachment',
  before: async (move, batch) => {
    move.facts.attached.clear()
    for (const row of batch) await store(move, text(row.uuid).toLowerCase())
  },
  rows: (row, { facts }) => {
    const uuid = text(row.uuid).toLowerCase()
    if (text(row.external_url) !== '') return new Left('it is a link to another place')
    const file = facts.attached.get(uuid)
    if (file === undefined) return new Left('its file is missing')
    const comment = id(row.comment_id)
    const release = id(row.release_id)
    const issue = comment === null && release === null ? id(row.issue_id) : null
    if (comment === null && release === null && issue === null) return new Left('it was never attached')
    return {
      id: number(row.id),
      uuid,
      release_id: comment === null ? release : null,
      issue_id: issue,
      comment_id: comment,
      name: text(row.name),
      bytes: file.bytes,
      picture_type: file.pictureType,
      downloads: number(row.download_count),
      uploader_id: id(row.uploader_id),
      created_at: timeOr(row.created_unix, null),
    }
  },
})

async function store(move: Move, uuid: string): Promise<void> {
  if (!UUID.test(uuid)) return
  const { attachments: files } = move.source.files
  const path = `${uuid.slice(0, 1)}/${uuid.slice(1, 2)}/${uuid}`
  const bytes = await files.sizeOf(path)
  if (bytes === undefined) return
  await storeFile(move, files, { path, bytes }, attachmentKey(uuid))
  // An empty file has no range.
  const start = bytes === 0 ? Buffer.alloc(0) : await buffer(await files.read(path, START_BYTES))
  move.facts.attached.set(uuid, { bytes, pictureType: pictureTypeOf(start) ?? '' })
}

export const attachmentSteps = [attachments]
