/**
 * Signatures of commits and tags: validity, signer, and the repository's trust in the signer.
 *
 * Compat: under the default trust model a signature counts if the key belongs to the account with the committer's email
 * address, collaborator or not.
 *
 * The instance's key vouches for the committer, who was signed in when the forge created the commit.
 */
import {
  findGpgSigners,
  findSshSigners,
  type GpgSigner,
  issuerOf,
  parseSshSignature,
  type SshSigner,
  verifyDetached,
  verifySshSignature,
} from '#domains/code/keys'
import { listTrusted, type Repository } from '#domains/code/repositories'
import { findSigningKey } from '#domains/code/signing'
import { type Account, keyOf, presentUser } from '#domains/people/users'
import type { Signature } from '#git'
import type { Context } from '#platform/context'
import type { People } from '../commits/people.ts'
import { remember } from './remember.ts'

/** An object with its signature and the email address of its committer or tagger. */
export interface Signable {
  readonly oid: string
  readonly email: string
  readonly signature: Signature | null
}

export interface Verdict {
  readonly isVerified: boolean
  /** The signer and key, or the reason why the signature does not count. */
  readonly reason: string
  /** An account, or the instance itself, which has no login. */
  readonly signer: Pick<Account, 'full_name' | 'login'> | null
  readonly email: string
  readonly signature: Signature | null
}

const SSH_START = '-----BEGIN SSH SIGNATURE-----'
const NAMESPACE = 'git'
/** Compat: the reference's reasons, which clients know. */
const REASONS = {
  unsigned: 'gpg.error.not_signed_commit',
  unreadable: 'gpg.error.extract_sign',
  unknown: 'gpg.error.no_gpg_keys_found',
  bad: 'gpg.error.probable_bad_signature',
  untrusted: 'repo.commits.signed_by_untrusted_user',
} as const

/** The columns of a repository that decide whom it trusts. */
export type Trusting = Pick<Repository, 'id' | 'owner_id' | 'trust_model'>

/** Verdicts by object id. One query for each kind of key, whatever the number of signatures. */
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
  const own = await findOwn(ctx, read)
  const makers = [...gpgSigners, ...sshSigners].map(({ account_id }) => account_id)
  const committers = [...own].flatMap(({ item }) => people(item.email)?.id ?? [])
  const trust = await loadTrust(ctx, repo, [...makers, ...committers])
  const verdicts = new Map<string, Verdict>()
  for (const it of read) {
    const committer = people(it.item.email)
    const gpg = gpgSigners.filter(({ key_id }) => key_id === it.issuer)
    const ssh = sshSigners.filter(({ fingerprint }) => fingerprint === it.issuer)
    const verdict = own.has(it)
      ? await decideOwn(ctx, it, committer, trust)
      : await decide(ctx, it, committer, trust, [...gpg, ...ssh])
    verdicts.set(it.item.oid, verdict)
  }
  return verdicts
}

interface Read {
  readonly item: Signable
  readonly kind: 'none' | 'gpg' | 'ssh'
  /** Id or fingerprint of the key; empty when the signature does not name it, or cannot be parsed. */
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

/** Signatures that name the instance's key. They are never a user's, even if a user added this public key as theirs. */
async function findOwn(ctx: Context, read: readonly Read[]): Promise<Set<Read>> {
  const known = read.some(({ kind }) => kind === 'ssh') ? await findSigningKey(ctx.db) : undefined
  return new Set(read.filter(({ issuer }) => issuer === known?.fingerprint))
}

/** The signers that a repository trusts. */
interface Trust {
  /** The signer must be the committer. */
  readonly isCommitterAsked: boolean
  /** The signer must be one of these collaborators; null: any account. */
  readonly collaborators: ReadonlyMap<number, Account> | null
}

/** `ids`: possible signers. */
async function loadTrust(ctx: Context, repo: Trusting, ids: readonly number[]): Promise<Trust> {
  const isCommitterAsked = repo.trust_model !== 'collaborator'
  if (repo.trust_model === 'committer' || repo.trust_model === 'default')
    return { isCommitterAsked, collaborators: null }
  const trusted = ids.length === 0 ? [] : await listTrusted(ctx.db, repo, [...new Set(ids)])
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
  if (kind === 'none') return refuse(item, 'unsigned')
  if (issuer === '') return refuse(item, 'unreadable')
  const asked = signers.filter((it) =>
    isCommitterAsked ? isTheirs(it, committer, item.email) : isProven(it),
  )
  const maker = await findMaker(ctx, item, asked)
  if (maker === undefined) return refuse(item, kind === 'gpg' && signers.length > 0 ? 'bad' : 'unknown')
  const signer = collaborators === null ? committer : collaborators.get(maker.account_id)
  if (signer === undefined) return refuse(item, 'untrusted')
  const email = signer.id === committer?.id ? item.email : presentUser(signer, null, ctx.site).email
  return { ...item, isVerified: true, reason: `${signer.login} / ${issuer}`, signer, email }
}

/** Under a collaborator trust model, the committer must be a collaborator. */
async function decideOwn(
  ctx: Context,
  { item, issuer }: Read,
  committer: Account | undefined,
  { collaborators }: Trust,
): Promise<Verdict> {
  if (!(await holdsSsh(ctx, item))) return refuse(item, 'bad')
  if (collaborators !== null && !collaborators.has(committer?.id ?? 0)) return refuse(item, 'untrusted')
  const { host, url } = ctx.site
  const signer = { full_name: host, login: '' }
  const email = `noreply@${new URL(url).hostname}`
  return { ...item, isVerified: true, reason: `${host} / ${issuer}`, signer, email }
}

function refuse(item: Signable, reason: keyof typeof REASONS): Verdict {
  return { ...item, isVerified: false, reason: REASONS[reason], signer: null }
}

/** A GPG key counts for its own addresses; once verified, for all addresses of its owner. */
function isTheirs(signer: Signer, account: Account | undefined, email: string): boolean {
  if (signer.account_id !== account?.id) return false
  return 'fingerprint' in signer || signer.is_verified || signer.emails.includes(keyOf(email))
}

/** Whether a key counts for its owner at all: SSH, verified, or with at least one address. */
function isProven(signer: Signer): boolean {
  return 'fingerprint' in signer || signer.is_verified || signer.emails.length > 0
}

/** The first key that verifies the signature. */
async function findMaker(
  ctx: Context,
  item: Signable,
  signers: readonly Signer[],
): Promise<Signer | undefined> {
  for (const signer of signers) if (await holds(ctx, item, signer)) return signer
  return undefined
}

async function holds(ctx: Context, item: Signable, signer: Signer): Promise<boolean> {
  const { oid, signature } = item
  if ('fingerprint' in signer) return holdsSsh(ctx, item)
  if (signature === null) return false
  const answer = await remember(ctx, `${oid} gpg ${signer.id}`, async () =>
    String(await verifyDetached(signer.armored, signature.payload, signature.text)),
  )
  return answer === 'true'
}

/** Whether the key embedded in the signature made it, without regard to its owner. */
async function holdsSsh(ctx: Context, { oid, signature }: Signable): Promise<boolean> {
  if (signature === null) return false
  const answer = await remember(ctx, `${oid} ssh`, async () => {
    const parsed = parseSshSignature(signature.text)
    return String(parsed !== undefined && verifySshSignature(parsed, signature.payload, NAMESPACE))
  })
  return answer === 'true'
}
