/**
 * Sign-in at a SAML identity provider, begun by the forge. The answer comes as a form of the provider's page, without
 * cookies: it is kept in the row of its request, whose ID is the digest of the browser's cookie, until that browser fetches it.
 */
import { digestOf } from '#domains/code/keys'
import type { Context } from '#platform/context'
import { invalid } from '#platform/problem'
import { WorkThread } from '#platform/thread'
import { answerStep, dropStep, startStep } from '../identities/steps.ts'
import type { Profile } from '../profile.ts'
import { splitCertificates } from '../records/certificates.ts'
import { consumerOf, metadataOf } from '../records/wire.ts'
import type { SourceOf } from '../tables.ts'
import { type Decision, decide } from './decide.ts'
import { LENGTH_MAX } from './names.ts'
import { metadataXml, requestAddress } from './request.ts'
import type { ResponseOrder, ResponseRead } from './thread.ts'

type Provider = SourceOf<'saml'>

interface Facts {
  readonly to: string
  readonly profile?: Profile
}

const thread = new WorkThread<ResponseOrder, ResponseRead>(new URL('thread.ts', import.meta.url), {
  timeMs: 2_000,
  memoryMb: 256,
  waitingMax: 64,
})

/** Where the browser goes, and the token that it keeps meanwhile. */
export async function beginSaml(
  ctx: Context,
  source: Provider,
  to: string,
): Promise<{ readonly to: string; readonly token: string }> {
  const facts: Facts = { to }
  const token = await startStep(ctx, source, 'request', facts)
  const id = `_${digestOf(token).toString('hex')}`
  return { to: requestAddress(source.settings, { id, at: ctx.now(), ...partiesOf(ctx, source) }), token }
}

/** Of two equal answers, on whichever nodes, one is kept. Why another is refused is for the operator. */
export async function answerSaml(ctx: Context, source: Provider, response: string): Promise<void> {
  const decision = await verify(ctx, source, response)
  const digest = 'refused' in decision ? undefined : digestIn(decision.requestId)
  const isKept =
    digest !== undefined && !('refused' in decision) && (await answerStep(ctx, source, digest, decision))
  if (isKept) return
  const reason = 'refused' in decision ? decision.refused : 'its request is unknown or was answered'
  ctx.log.warn(
    { source: { name: source.name }, error: { message: reason } },
    'answer of an authentication source was refused',
  )
}

/** In the browser that has begun. A request is finished once, whatever the answer was. */
export async function finishSaml(
  ctx: Context,
  source: Provider,
  token: string,
): Promise<{ readonly profile: Profile; readonly to: string }> {
  const facts = (await dropStep(ctx, source, 'request', token)) as Facts | undefined
  if (facts === undefined) throw invalid('sign-in has expired or was begun in another browser')
  if (facts.profile === undefined)
    throw invalid('the identity provider’s answer was refused, please try again', { source: source.name })
  return { profile: facts.profile, to: facts.to }
}

export function metadataFor(ctx: Context, source: Provider): string {
  return metadataXml(source.settings, partiesOf(ctx, source))
}

function partiesOf({ site }: Context, source: Provider) {
  return { issuer: metadataOf(source, site), consumer: consumerOf(source, site) }
}

async function verify(ctx: Context, source: Provider, response: string): Promise<Decision> {
  const xml = xmlOf(response)
  if (xml === undefined) return { refused: 'it is not base64 of UTF-8, or too long' }
  const { settings } = source
  const { issuer: audience, consumer } = partiesOf(ctx, source)
  const order = {
    xml,
    certificates: splitCertificates(settings.certificates),
    issuer: settings.entity_id,
    audience,
    consumer,
  }
  const read = (await thread.ask(order, ctx)) ?? { refused: 'it takes too long to verify' }
  return 'refused' in read ? read : decide(read, { settings, audience, consumer, now: ctx.now() })
}

function xmlOf(response: string): string | undefined {
  const text = response.replaceAll(/\s+/g, '')
  if (text.length > LENGTH_MAX || !/^[\d+/A-Za-z]+={0,2}$/.test(text)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'base64'))
  } catch {
    return undefined
  }
}

function digestIn(requestId: string): Buffer | undefined {
  const [, hex] = /^_([\da-f]{64})$/.exec(requestId) ?? []
  return hex === undefined ? undefined : Buffer.from(hex, 'hex')
}
