/** Advertises refs straight from PostgreSQL, streamed. Needs no git process and no cache. */
import type { Context } from '#platform/context'
import type { Db } from '#platform/db'
import { VERSION } from '#platform/version'
import { pagesOfRefs } from '../refs/pages.ts'
import { findRef } from '../refs/read.ts'
import { zeroOid } from '../storage/storage.ts'
import type { GitRef, Storage } from '../tables.ts'
import { advertiseOnce } from './advertisement-cache.ts'
import { FLUSH, pktLine, pktText } from './pkt-line.ts'

export type Service = 'git-upload-pack' | 'git-receive-pack'

const AGENT = `agent=bloomery/${VERSION}`
const UPLOAD = `multi_ack thin-pack side-band side-band-64k ofs-delta shallow deepen-since deepen-not deepen-relative \
no-progress include-tag multi_ack_detailed no-done allow-tip-sha1-in-want allow-reachable-sha1-in-want filter`
const RECEIVE = 'report-status report-status-v2 delete-refs side-band-64k quiet atomic ofs-delta push-options'

/** Protocol 2: capabilities only, without refs. */
export function capabilities(storage: Storage): Buffer {
  return Buffer.concat([
    pktLine('version 2\n'),
    pktLine(`${AGENT}\n`),
    pktLine('ls-refs=unborn\n'),
    pktLine('fetch=shallow wait-for-done filter\n'),
    pktLine('server-option\n'),
    pktLine(`object-format=${storage.object_format}\n`),
    FLUSH,
  ])
}

/** Protocols 0 and 1: all refs at once. */
export function advertiseRefs(
  ctx: Context,
  storage: Storage,
  service: Service,
  protocol: 0 | 1,
): AsyncIterable<Buffer> {
  return advertiseOnce(ctx, storage, `${service} ${protocol}`, () =>
    advertise(ctx.db, storage, service, protocol),
  )
}

async function* advertise(
  db: Db,
  storage: Storage,
  service: Service,
  protocol: 0 | 1,
): AsyncGenerator<Buffer> {
  const isUpload = service === 'git-upload-pack'
  const head = isUpload ? await findRef(db, storage.id, storage.head) : undefined
  const symref = head === undefined ? '' : ` symref=HEAD:${storage.head}`
  let features = `\0${isUpload ? UPLOAD : RECEIVE}${symref} object-format=${storage.object_format} ${AGENT}`
  const tell = (ref: GitRef) => {
    const lines = linesOf(ref, features, isUpload)
    features = ''
    return lines
  }
  let opening = protocol === 1 ? pktText('version 1\n') : ''
  if (head !== undefined) opening += tell({ ...head, name: 'HEAD' })
  for await (const page of pagesOfRefs(db, storage.id, [])) {
    yield Buffer.from(opening + page.map(tell).join(''))
    opening = ''
  }
  if (features !== '') yield pktLine(`${zeroOid(storage.object_format)} capabilities^{}${features}\n`)
  yield FLUSH
}

function linesOf({ name, oid, peeled_oid }: GitRef, features: string, withPeeled: boolean): string {
  const line = pktText(`${oid} ${name}${features}\n`)
  return peeled_oid === null || !withPeeled ? line : line + pktText(`${peeled_oid} ${name}^{}\n`)
}

export interface LsRefs {
  readonly prefixes: readonly string[]
  readonly peel: boolean
  readonly symrefs: boolean
  readonly unborn: boolean
}

/** Above this number of prefixes all refs are sent; the client filters them. */
const PREFIXES_MAX = 200

/** Protocol 2's `ls-refs`. */
export function answerLsRefs(ctx: Context, storage: Storage, ask: LsRefs): AsyncIterable<Buffer> {
  return advertiseOnce(ctx, storage, JSON.stringify(ask), () => lsRefs(ctx.db, storage, ask))
}

async function* lsRefs(db: Db, storage: Storage, ask: LsRefs): AsyncGenerator<Buffer> {
  const prefixes = ask.prefixes.length > PREFIXES_MAX ? [] : ask.prefixes
  let opening = ''
  if (prefixes.length === 0 || prefixes.some((prefix) => 'HEAD'.startsWith(prefix))) {
    const target = await findRef(db, storage.id, storage.head)
    if (target !== undefined) opening = lsLine(target, 'HEAD', ask, storage.head)
    else if (ask.unborn) opening = pktText(`unborn HEAD symref-target:${storage.head}\n`)
  }
  for await (const page of pagesOfRefs(db, storage.id, prefixes)) {
    yield Buffer.from(opening + page.map((ref) => lsLine(ref, ref.name, ask)).join(''))
    opening = ''
  }
  yield FLUSH
}

function lsLine(ref: GitRef, name: string, ask: LsRefs, target?: string): string {
  const symref = ask.symrefs && target !== undefined ? ` symref-target:${target}` : ''
  const peeled = ask.peel && ref.peeled_oid !== null ? ` peeled:${ref.peeled_oid}` : ''
  return pktText(`${ref.oid} ${name}${symref}${peeled}\n`)
}
