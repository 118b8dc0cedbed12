/**
 * Signatures of commits and tags: whether they hold, whose they are, and whether the repository trusts who made them.
 *
 * Compat: where nobody chose a trust model, a signature counts if a key of the account that the committer's address
 * belongs to made it, whoever that is.
 */
import { LRUCache } from 'lru-cache'
import {
  findGpgSigners,
  findSshSigners,
  type GpgSigner,
  issuerOf,
  parseSshSignature,
  type SshSigner,
  verifyDetached,
  verifySshSignature,
} from '#domains/keys'
import { listTrusted, type Repository } from '#domains/repositories'
import { type Account, keyOf, presentUser } from '#domains/users'
import type { Signature } from '#git'
import type { Context } from '#platform/context'
import type { People } from '../commits/people.ts'

/** What may be signed, and by whose address. */
export interface Signable {
  readonly oid: string
  readonly email: string
  readonly signature: Signature | null
}

export interface Verdict {
  readonly isVerified: boolean
  /** Who signed it with which key, or a word for why it does not count. */
  readonly reason: string
  readonly signer: Account | null
  readonly email: string
  readonly signature: Signature | null
}

const SSH_START = '-----BEGIN SSH SIGNATURE-----'
const NAMESPACE = 'git'
/** Compat: clients know these words. */
const REASONS = {
  unsigned: 'gpg.error.not_signed_commit',
  unreadable: 'gpg.error.extract_sign',
  unknown: 'gpg.error.no_gpg_keys_found',
  bad: 'gpg.error.probable_bad_signature',
  untrusted: 'repo.commits.signed_by_untrusted_user',
} as const

/** A repository that trusts some people. */
export type Trusting = Pick<Repository, 'id' | 'owner_id' | 'trust_model'>

/** By id. Keys are found with one query for each kind of key, however many signatures there are. */
export async function judge(
  ctx: Context,
  repo: Trusting,
  items: readonly Signable[],
  people: People,
): Promise<Map<string, Verdict>> {
  const read: Read[] = []
  for (const item of items) read.push({ item, ...(await readIssuer(ctx, item)) })
  const gpgSigners = await findSigners(read, 'gpg', (ids) => findGpgSigners(ctx.db, ids))
  const sshSigners = await findSigners(read, 'ssh', (ids) => findSshSigners(ctx.db, ids))
  const trust = await loadTrust(ctx, repo, [...gpgSigners, ...sshSigners])
  const verdicts = new Map<string, Verdict>()
  for (const it of read) {
    const gpg = gpgSigners.filter(({ key_id }) => key_id === it.issuer)
    const ssh = sshSigners.filter(({ fingerprint }) => fingerprint === it.issuer)
    verdicts.set(it.item.oid, await decide(ctx, it, people(it.item.email), trust, [...gpg, ...ssh]))
  }
  return verdicts
}

interface Read {
  readonly item: Signable
  readonly kind: 'none' | 'gpg' | 'ssh'
  /** Id or fingerprint of the key; empty when the signature does not say, or cannot be read. */
  readonly issuer: string
}

async function readIssuer(ctx: Context, { oid, signature }: Signable): Promise<Omit<Read, 'item'>> {
  if (signature === null) return { kind: 'none', issuer: '' }
  const { text } = signature
  const kind = text.startsWith(SSH_START) ? 'ssh' : 'gpg'
  const issuer = await remember(ctx, oid, async () => {
    const found = kind === 'ssh' ? parseSshSignature(text)?.fingerprint : await issuerOf(text)
    return found ?? ''
  })
  return { kind, issuer }
}

function findSigners<T>(
  read: readonly Read[],
  kind: Read['kind'],
  find: (issuers: string[]) => Promise<T[]>,
): Promise<T[]> {
  const issuers = read.filter((it) => it.kind === kind && it.issuer !== '').map(({ issuer }) => issuer)
  return issuers.length === 0 ? Promise.resolve([]) : find([...new Set(issuers)])
}

/** Whose signatures count. */
interface Trust {
  /** Only those of whom committed. */
  readonly isCommitterAsked: boolean
  /** Only those of these, who work on the repository; null: whoever it is. */
  readonly collaborators: ReadonlyMap<number, Account> | null
}

async function loadTrust(ctx: Context, repo: Trusting, signers: readonly Signer[]): Promise<Trust> {
  const isCommitterAsked = repo.trust_model !== 'collaborator'
  if (repo.trust_model === 'committer' || repo.trust_model === 'default' || signers.length === 0)
    return { isCommitterAsked, collaborators: null }
  const ids = [...new Set(signers.map(({ account_id }) => account_id))]
  const trusted = await listTrusted(ctx.db, repo, ids)
  return { isCommitterAsked, collaborators: new Map(trusted.map((account) => [account.id, account])) }
}

type Signer = GpgSigner | SshSigner

async function decide(
  ctx: Context,
  { item, kind, issuer }: Read,
  committer: Account | undefined,
  { isCommitterAsked, collaborators }: Trust,
  signers: readonly Signer[],
): Promise<Verdict> {
  const refuse = (reason: keyof typeof REASONS): Verdict => {
    return { ...item, isVerified: false, reason: REASONS[reason], signer: null }
  }
  if (kind === 'none') return refuse('unsigned')
  if (issuer === '') return refuse('unreadable')
  const asked = signers.filter((it) =>
    isCommitterAsked ? isTheirs(it, committer, item.email) : isProven(it),
  )
  const maker = await findMaker(ctx, item, asked)
  if (maker === undefined) return refuse(kind === 'gpg' && signers.length > 0 ? 'bad' : 'unknown')
  const signer = collaborators === null ? committer : collaborators.get(maker.account_id)
  if (signer === undefined) return refuse('untrusted')
  const email = signer.id === committer?.id ? item.email : presentUser(signer, null, ctx.site).email
  return { ...item, isVerified: true, reason: `${signer.login} / ${issuer}`, signer, email }
}

/** A GPG key speaks for the addresses in it, or, once its owner has proven it, for all of the owner's. */
function isTheirs(signer: Signer, account: Account | undefined, email: string): boolean {
  if (signer.account_id !== account?.id) return false
  return 'fingerprint' in signer || signer.is_verified || signer.emails.includes(keyOf(email))
}

/** Whether a key speaks for its owner at all. */
function isProven(signer: Signer): boolean {
  return 'fingerprint' in signer || signer.is_verified || signer.emails.length > 0
}

/** The key that made the signature. */
async function findMaker(
  ctx: Context,
  item: Signable,
  signers: readonly Signer[],
): Promise<Signer | undefined> {
  for (const signer of signers) if (await holds(ctx, item, signer)) return signer
  return undefined
}

async function holds(ctx: Context, { oid, signature }: Signable, signer: Signer): Promise<boolean> {
  if (signature === null) return false
  const isSsh = 'fingerprint' in signer
  const answer = await remember(ctx, `${oid} ${isSsh ? 'ssh' : 'gpg'} ${signer.id}`, async () => {
    const { text, payload } = signature
    if (!isSsh) return String(await verifyDetached(signer.armored, payload, text))
    const parsed = parseSshSignature(text)
    return String(parsed !== undefined && verifySshSignature(parsed, payload, NAMESPACE))
  })
  return answer === 'true'
}

/**
 * Checking a signature costs milliseconds, and its outcome never changes: the object has its id from all its bytes,
 * and a key that was added is never altered.
 */
const kept = new WeakMap<object, LRUCache<string, string>>()
const KEPT_MAX = 20_000

async function remember(ctx: Context, name: string, find: () => Promise<string>): Promise<string> {
  let answers = kept.get(ctx.cache)
  if (answers === undefined) {
    answers = new LRUCache({ max: KEPT_MAX })
    kept.set(ctx.cache, answers)
  }
  const known = answers.get(name)
  if (known !== undefined) return known
  const answer = await find()
  answers.set(name, answer)
  return answer
}
