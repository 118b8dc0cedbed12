/** Computes every seal again, for `bloomery doctor audit`. */
import type { Context } from '#platform/context'
import type { AuditSeal } from '../tables.ts'
import { anchorMacOf, isSameMac, macOf } from './canonical.ts'
import { findKey, selectRange } from './seal.ts'

export interface ChainFinding {
  readonly from_id: number
  readonly to_id: number
  readonly fault: string
}

export interface ChainReport {
  readonly seals: number
  /** Records that a seal authenticates. */
  readonly sealed: number
  /** Newer records, which no seal authenticates yet. */
  readonly unsealed: number
  readonly findings: readonly ChainFinding[]
}

const SEALS_AT_ONCE = 100

export async function verifyChain(ctx: Context): Promise<ChainReport> {
  const key = await findKey(ctx.db, ctx.seal)
  const findings: ChainFinding[] = []
  let before: AuditSeal | undefined
  let seals = 0
  let sealed = 0
  for await (const seal of listSeals(ctx)) {
    if (key === undefined) break
    seals += 1
    if (before === undefined && seal.anchor_mac !== null) {
      if (!isSameMac(seal.anchor_mac, anchorMacOf(key, seal)))
        findings.push({ ...rangeOf(seal), fault: 'the anchor of the chain was changed' })
    } else {
      const found = await verifySeal(ctx, key, before, seal)
      sealed += found.records
      findings.push(...found.findings)
    }
    before = seal
  }
  const newer = ctx.db.selectFrom('audit_record').where('id', '>', before?.to_id ?? 0)
  const { unsealed } = await newer
    .select((eb) => eb.fn.countAll<number>().as('unsealed'))
    .executeTakeFirstOrThrow()
  if (key === undefined && seals > 0)
    findings.push({ from_id: 1, to_id: before?.to_id ?? 0, fault: 'the key of the chain was removed' })
  return { seals, sealed, unsealed: Number(unsealed), findings }
}

async function verifySeal(
  ctx: Context,
  key: Buffer,
  before: AuditSeal | undefined,
  seal: AuditSeal,
): Promise<{ readonly records: number; readonly findings: ChainFinding[] }> {
  const findings: ChainFinding[] = []
  const next = (before?.to_id ?? 0) + 1
  if (seal.from_id !== next)
    findings.push({ from_id: next, to_id: seal.from_id - 1, fault: 'a seal was removed' })
  // One more than expected shows that a record was added, however many there are.
  const records = await selectRange(ctx.db, seal)
    .limit(seal.records + 1)
    .execute()
  if (!isSameMac(seal.mac, macOf(key, before?.mac ?? '', seal, records)))
    findings.push({ ...rangeOf(seal), fault: faultOf(seal.records, records.length) })
  return { records: records.length, findings }
}

function faultOf(expected: number, found: number): string {
  if (found < expected) return `${expected - found} of ${expected} records were removed`
  return found > expected ? 'a record was added' : 'a record or the seal was changed'
}

function rangeOf({ from_id, to_id }: AuditSeal) {
  return { from_id, to_id }
}

async function* listSeals(ctx: Context): AsyncGenerator<AuditSeal> {
  let last = -1
  for (;;) {
    const seals = await ctx.db
      .selectFrom('audit_seal')
      .selectAll()
      .where('to_id', '>', last)
      .orderBy('to_id')
      .limit(SEALS_AT_ONCE)
      .execute()
    yield* seals
    const newest = seals.at(-1)
    if (newest === undefined || seals.length < SEALS_AT_ONCE) return
    last = newest.to_id
  }
}
