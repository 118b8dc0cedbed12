/**
 * Passkeys: key pairs on a device. A passkey with user verification counts as both factors. Challenges are stored in
 * a step, or sealed for anonymous users; the row of the step ensures that each challenge is accepted once on all
 * nodes.
 */
import { type Account, findAccountById, keyOf, takesOwnCredentials } from '#domains/people/users'
import { type Context, transact } from '#platform/context'
import type { Db } from '#platform/db'
import { invalid, notFound } from '#platform/problem'
import type { SignedIn } from '#platform/rest'
import { claimStep, endStep, findStep, STEP_S, startStep } from '../steps/steps.ts'
import type { PasskeyRow } from '../tables.ts'

const PASSKEYS_MAX = 25
const NAME_MAX = 100
/** Responses of browsers have about a thousand characters. */
const RESPONSE_MAX = 20_000
const OFFER = 'passkey_offer'
const OFFER_MAX = 1_000

/** A WebAuthn request, and the step that holds its challenge. */
export interface PasskeyRequest {
  readonly step: string
  /** JSON options for `PublicKeyCredential`. */
  readonly options: unknown
}

export function listPasskeys(db: Db, accountId: number): Promise<PasskeyRow[]> {
  return db
    .selectFrom('passkey')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('id')
    .limit(PASSKEYS_MAX)
    .execute()
}

/** Requests the creation of a passkey. */
export async function requestPasskey(ctx: Context, { account }: SignedIn): Promise<PasskeyRequest> {
  const known = await listPasskeys(ctx.db, account.id)
  if (known.length >= PASSKEYS_MAX) throw invalid('too many passkeys', { most: PASSKEYS_MAX })
  const { generateRegistrationOptions } = await webauthn()
  const options = await generateRegistrationOptions({
    rpName: ctx.site.name,
    rpID: partyOf(ctx).id,
    userName: account.login,
    userDisplayName: account.full_name || account.login,
    userID: new TextEncoder().encode(String(account.id)),
    attestationType: 'none',
    excludeCredentials: known.map(({ credential_id }) => ({ id: credential_id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  const step = await startStep(ctx, {
    kind: 'passkey',
    accountId: account.id,
    challenge: options.challenge,
  })
  return { step, options }
}

export async function addPasskey(
  ctx: Context,
  { account }: SignedIn,
  answer: { readonly step: string; readonly response: string; readonly name: string },
): Promise<void> {
  const challenge = await takeChallenge(ctx, answer.step, account.id)
  const { verifyRegistrationResponse } = await webauthn()
  const { registrationInfo } = await verifyRegistrationResponse({
    response: readResponse(answer.response),
    expectedChallenge: challenge,
    expectedOrigin: partyOf(ctx).origin,
    expectedRPID: partyOf(ctx).id,
    requireUserVerification: true,
  }).catch(refuse)
  if (registrationInfo === undefined) throw invalid('passkey is not valid')
  const { id, publicKey, counter, transports } = registrationInfo.credential
  const row = {
    account_id: account.id,
    credential_id: id,
    public_key: Buffer.from(publicKey),
    counter,
    transports: (transports ?? []).slice(0, 10),
    name: answer.name.trim().slice(0, NAME_MAX) || 'Passkey',
    created_at: ctx.now(),
    last_used_at: null,
  }
  await transact(ctx, async (ctx) => {
    const made = await ctx.db
      .insertInto('passkey')
      .values(row)
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .executeTakeFirst()
    if (made.numInsertedOrUpdatedRows === 0n) throw invalid('passkey is in use already')
  })
}

export async function dropPasskey(ctx: Context, { id: accountId }: SignedIn, id: number): Promise<void> {
  await transact(ctx, async (ctx) => {
    const gone = await ctx.db
      .deleteFrom('passkey')
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .executeTakeFirst()
    if (gone.numDeletedRows === 0n) throw notFound('passkey', id)
  })
}

/** Requests any passkey of this site; the answer identifies the account. */
export async function requestSignIn(ctx: Context, keeps: boolean): Promise<PasskeyRequest> {
  const { generateAuthenticationOptions } = await webauthn()
  const options = await generateAuthenticationOptions({
    rpID: partyOf(ctx).id,
    userVerification: 'required',
  })
  return { step: sealOffer(ctx, { challenge: options.challenge, keeps }), options }
}

/** The account of a valid answer; undefined if anything about it is wrong. */
export async function provePasskey(
  ctx: Context,
  answer: { readonly step: string; readonly response: string },
): Promise<{ readonly account: Account; readonly keeps: boolean } | undefined> {
  const offer = openOffer(ctx, answer.step)
  if (offer === undefined) return undefined
  const response = readResponse(answer.response)
  const passkey = await findPasskey(ctx.db, String(response.id))
  const account = passkey && (await findAccountById(ctx.db, passkey.account_id))
  if (passkey === undefined || account === undefined || account.prohibits_login) return undefined
  if (!takesOwnCredentials(account)) return undefined
  const { verifyAuthenticationResponse } = await webauthn()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: offer.challenge,
    expectedOrigin: partyOf(ctx).origin,
    expectedRPID: partyOf(ctx).id,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(passkey.public_key),
      counter: passkey.counter,
    },
    requireUserVerification: true,
  }).catch(() => ({ verified: false, authenticationInfo: undefined }))
  if (!verified || authenticationInfo === undefined) return undefined
  if (!(await claimStep(ctx, { kind: 'passkey', token: offer.challenge, accountId: null }))) return undefined
  await noteUse(ctx, passkey, authenticationInfo.newCounter)
  return { account, keeps: offer.keeps }
}

/** Sealed challenge for an anonymous browser, so that no row is stored. */
interface Offer {
  readonly challenge: string
  readonly keeps: boolean
}

function sealOffer(ctx: Context, offer: Offer): string {
  return ctx.seal.seal(OFFER, JSON.stringify({ ...offer, until: ctx.now().getTime() + STEP_S * 1000 }))
}

function openOffer(ctx: Context, sealed: string): Offer | undefined {
  if (sealed.length > OFFER_MAX) return undefined
  try {
    const { until, ...offer } = JSON.parse(ctx.seal.open(OFFER, sealed)) as Offer & { until: number }
    return until < ctx.now().getTime() ? undefined : offer
  } catch {
    return undefined
  }
}

function findPasskey(db: Db, credentialId: string): Promise<PasskeyRow | undefined> {
  return db.selectFrom('passkey').selectAll().where('credential_id', '=', credentialId).executeTakeFirst()
}

async function noteUse(ctx: Context, { id }: PasskeyRow, counter: number): Promise<void> {
  const used = { counter, last_used_at: ctx.now() }
  await transact(ctx, (ctx) => ctx.db.updateTable('passkey').set(used).where('id', '=', id).execute())
}

async function takeChallenge(ctx: Context, token: string, accountId: number): Promise<string> {
  const step = await findStep(ctx, token, 'passkey')
  if (step?.account_id !== accountId || step.challenge === null || !(await endStep(ctx, step)))
    throw invalid('this request has expired, begin again')
  return step.challenge
}

/** The library validates the content; this only checks that it is an object. */
// biome-ignore lint/suspicious/noExplicitAny: its own types describe what browsers should send
function readResponse(text: string): any {
  if (text.length > RESPONSE_MAX) throw invalid('passkey is not valid')
  try {
    const response: unknown = JSON.parse(text)
    if (typeof response === 'object' && response !== null) return response
  } catch {
    // Thrown below.
  }
  throw invalid('passkey is not valid')
}

function refuse(): never {
  throw invalid('passkey is not valid')
}

/** The relying party is the host name of the site, without port. */
function partyOf({ site }: Context): { id: string; origin: string } {
  const { hostname, origin } = new URL(site.url)
  return { id: keyOf(hostname), origin }
}

/** Loaded on first use, to save memory on nodes without passkeys. */
function webauthn() {
  return import('@simplewebauthn/server')
}
