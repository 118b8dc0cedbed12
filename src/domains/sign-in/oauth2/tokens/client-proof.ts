/** Authenticates an application: by its secret in `Authorization` or in the body; a public client only names itself. */
import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { digestOf } from '#domains/code/keys'
import { verifyOldHash } from '#domains/people/users'
import type { Context } from '#platform/context'
import { logFailedSignIn } from '#platform/log'
import { findClient } from '../applications/clients.ts'
import { Refusal } from '../refusal.ts'
import type { ApplicationRow } from '../tables.ts'
import type { Form } from './form.ts'

/** Secrets of Gitea have 56 characters. */
const SECRET_LENGTH_MAX = 100

interface Shown {
  readonly id: string
  readonly secret: string
}

export async function proveClient(
  ctx: Context,
  from: { readonly headers: Readonly<IncomingHttpHeaders>; readonly clientAddress: string },
  form: Form,
): Promise<ApplicationRow> {
  const shown = shownIn(from.headers, form)
  const client = await findClient(ctx, shown.id)
  if (client === undefined || !(await isProven(ctx, client, shown.secret))) {
    logFailedSignIn(ctx.log, { address: from.clientAddress, by: 'oauth2 client' })
    throw new Refusal('invalid_client', 'client authentication failed')
  }
  return client
}

function shownIn({ authorization = '' }: Readonly<IncomingHttpHeaders>, form: Form): Shown {
  const sent = { id: form.get('client_id') ?? '', secret: form.get('client_secret') ?? '' }
  const basic = readBasic(authorization)
  if (basic === undefined) return sent
  // Two proofs in one request could belong to two applications (RFC 6749, section 2.3).
  if (sent.secret !== '' || (sent.id !== '' && sent.id !== basic.id))
    throw new Refusal('invalid_request', 'client is authenticated twice')
  return basic
}

/** Id and secret are encoded as in a form (RFC 6749, section 2.3.1). */
function readBasic(authorization: string): Shown | undefined {
  const [, coded] = /^basic\s+([\w+/=-]+)\s*$/i.exec(authorization) ?? []
  if (coded === undefined) return undefined
  const [id = '', ...rest] = Buffer.from(coded, 'base64').toString('utf8').split(':')
  return { id: decoded(id), secret: decoded(rest.join(':')) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** A public client needs no secret; one that shows a secret must show its own. */
async function isProven(ctx: Context, client: ApplicationRow, secret: string): Promise<boolean> {
  const { is_confidential, secret_digest, old_hash } = client
  if (secret === '') return !is_confidential
  const digest = digestOf(secret)
  if (secret_digest.length === digest.length && timingSafeEqual(secret_digest, digest)) return true
  return old_hash !== null && (await isProvenByOldHash(ctx, client, secret))
}

/** The first proof of an application that was moved in gives its secret a digest. */
async function isProvenByOldHash({ db }: Context, client: ApplicationRow, secret: string): Promise<boolean> {
  if (secret.length > SECRET_LENGTH_MAX || !(await verifyOldHash(client.old_hash ?? '', secret))) return false
  await db
    .updateTable('oauth2_application')
    .set({ secret_digest: digestOf(secret), old_hash: null })
    .where('id', '=', client.id)
    .where('old_hash', '=', client.old_hash)
    .execute()
  return true
}
