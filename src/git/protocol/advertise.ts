/** Telling refs: from PostgreSQL alone. No git process is started and no cache is needed. */
import type { Context } from '#platform/context'
import type { Db } from '#platform/db'
import { VERSION } from '#platform/version'
import { listRefs } from '../refs/read.ts'
import { zeroOid } from '../storage.ts'
import type { GitRef, Storage } from '../tables.ts'
import { FLUSH, pktLine, pktText } from './pkt-line.ts'
import { tellOnce } from './told-refs.ts'

export type Service = 'git-upload-pack' | 'git-receive-pack'

const AGENT = `agent=bloomery/${VERSION}`
const UPLOAD = `multi_ack thin-pack side-band side-band-64k ofs-delta shallow deepen-since deepen-not deepen-relative \
no-progress include-tag multi_ack_detailed no-done allow-tip-sha1-in-want allow-reachable-sha1-in-want filter`
const RECEIVE = 'report-status report-status-v2 delete-refs side-band-64k quiet atomic ofs-delta push-options'

/** Protocol 2: what can be asked, not yet the refs. */
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
): Promise<Buffer> {
  return tellOnce(ctx, storage, `${service} ${protocol}`, () => advertise(ctx.db, storage, service, protocol))
}

async function advertise(db: Db, storage: Storage, service: Service, protocol: 0 | 1): Promise<Buffer> {
  const refs = await listRefs(db, storage.id)
  const head = refs.find(({ name }) => name === storage.head)
  const isUpload = service === 'git-upload-pack'
  const symref = isUpload && head !== undefined ? ` symref=HEAD:${storage.head}` : ''
  const features = `${isUpload ? UPLOAD : RECEIVE}${symref} object-format=${storage.object_format} ${AGENT}`
  const told = isUpload && head !== undefined ? [{ ...head, name: 'HEAD' }, ...refs] : refs
  const lines = told.flatMap((ref, i) => linesOf(ref, i === 0 ? `\0${features}` : '', isUpload))
  const none = pktText(`${zeroOid(storage.object_format)} capabilities^{}\0${features}\n`)
  const version = protocol === 1 ? pktText('version 1\n') : ''
  return Buffer.concat([Buffer.from(version + (lines.length === 0 ? none : lines.join(''))), FLUSH])
}

function linesOf({ name, oid, peeled_oid }: GitRef, features: string, withPeeled: boolean): string[] {
  const line = pktText(`${oid} ${name}${features}\n`)
  return peeled_oid === null || !withPeeled ? [line] : [line, pktText(`${peeled_oid} ${name}^{}\n`)]
}

export interface LsRefs {
  readonly prefixes: readonly string[]
  readonly peel: boolean
  readonly symrefs: boolean
  readonly unborn: boolean
}

/** Past this many prefixes all refs are told: the client will choose. */
const PREFIXES_MAX = 200

/** Protocol 2's `ls-refs`. */
export function answerLsRefs(ctx: Context, storage: Storage, ask: LsRefs): Promise<Buffer> {
  return tellOnce(ctx, storage, JSON.stringify(ask), () => lsRefs(ctx.db, storage, ask))
}

async function lsRefs(db: Db, storage: Storage, ask: LsRefs): Promise<Buffer> {
  const prefixes = ask.prefixes.length > PREFIXES_MAX ? [] : ask.prefixes
  const refs = await listRefs(db, storage.id, prefixes.length > 0 ? { prefixes } : {})
  const lines: string[] = []
  const isWanted = (name: string) =>
    prefixes.length === 0 || prefixes.some((prefix) => name.startsWith(prefix))
  if (isWanted('HEAD')) {
    const [target] = await listRefs(db, storage.id, { prefixes: [storage.head], limit: 1 })
    if (target?.name === storage.head) lines.push(lsLine(target, 'HEAD', ask, storage.head))
    else if (ask.unborn) lines.push(pktText(`unborn HEAD symref-target:${storage.head}\n`))
  }
  for (const ref of refs) if (isWanted(ref.name)) lines.push(lsLine(ref, ref.name, ask))
  return Buffer.concat([Buffer.from(lines.join('')), FLUSH])
}

function lsLine(ref: GitRef, name: string, ask: LsRefs, target?: string): string {
  const symref = ask.symrefs && target !== undefined ? ` symref-target:${target}` : ''
  const peeled = ask.peel && ref.peeled_oid !== null ? ` peeled:${ref.peeled_oid}` : ''
  return pktText(`${ref.oid} ${name}${symref}${peeled}\n`)
}
