/** The request of a delivery. Pure: a hook, its secrets and what it is told in, a request out. */
import { createHmac } from 'node:crypto'
import { type OutboundRequest, takeCredentials } from '#platform/outbound'
import { VERSION } from '#platform/version'
import { messageOf, SPEAK } from './chat/index.ts'
import { groupOf } from './event-types.ts'
import { isChat } from './hook-types.ts'
import type { HookRow, SentRequest } from './tables.ts'

export interface Target extends Pick<HookRow, 'type' | 'url' | 'content_type' | 'settings'> {
  /** Whose hook it is, for receivers that tell them apart. */
  readonly kind: string
  readonly secret: string
  readonly authorization: string
}

export interface Telling {
  readonly uuid: string
  readonly type: string
  readonly body: string
}

export interface Composed {
  readonly request: OutboundRequest
  /** What may be shown of it. */
  readonly shown: SentRequest
}

const HIDDEN = '******'
const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

export function compose(target: Target, telling: Telling): Composed {
  const { url, authorization } = addressOf(target, telling)
  const text = textFor(target, telling)
  const isForm = target.content_type === 'form' && !isChat(target.type)
  const method = target.type === 'matrix' ? 'PUT' : 'POST'
  const headers = {
    'user-agent': `Bloomery/${VERSION}`,
    'content-type': isForm ? FORM_TYPE : JSON_TYPE,
    ...eventHeaders(target, telling),
    ...signatures(target.secret, text),
  }
  const body = isForm ? new URLSearchParams({ payload: text }).toString() : text
  const secret = authorization === '' ? {} : { authorization }
  return {
    request: { method, url, headers: { ...headers, ...secret }, body },
    shown: {
      method,
      url,
      headers: { ...headers, ...(authorization === '' ? {} : { authorization: HIDDEN }) },
      body: text === telling.body ? null : text,
    },
  }
}

/** A name and a password in an address are meant as credentials, and are sent as such. */
function addressOf(target: Target, { uuid }: Telling): { url: string; authorization: string } {
  const url = new URL(target.url)
  const { username, password } = takeCredentials(url)
  // The delivery goes by its own name there, so a second attempt says nothing twice.
  if (target.type === 'matrix') url.pathname = `${url.pathname.replace(/\/$/, '')}/${uuid}`
  const given = username || password ? `${username}:${password}` : ''
  const basic = given && `Basic ${Buffer.from(given).toString('base64')}`
  return { url: url.href, authorization: target.authorization || basic }
}

function textFor({ type, settings }: Target, telling: Telling): string {
  if (!isChat(type)) return telling.body
  return JSON.stringify(SPEAK[type](messageOf(telling.type, telling.body), settings), null, 2)
}

/** Compat: the same words under the names that three families of receivers look for. */
function eventHeaders(target: Target, { uuid, type }: Telling): Record<string, string> {
  const event = groupOf(type)
  const families = ['gitea', 'gogs', 'github'].map((family) => ({
    [`x-${family}-delivery`]: uuid,
    [`x-${family}-event`]: event,
    [`x-${family}-event-type`]: type,
  }))
  return Object.assign({}, ...families, {
    'x-gitea-hook-installation-target-type': target.kind,
    'x-github-hook-installation-target-type': target.kind,
  })
}

/** Compat: the JSON is signed, also where it is sent as a form; without a secret the signatures are empty. */
function signatures(secret: string, text: string): Record<string, string> {
  const sign = (digest: string) =>
    secret === '' ? '' : createHmac(digest, secret).update(text).digest('hex')
  const sha256 = sign('sha256')
  return {
    'x-gitea-signature': sha256,
    'x-gogs-signature': sha256,
    'x-hub-signature': `sha1=${sign('sha1')}`,
    'x-hub-signature-256': `sha256=${sha256}`,
  }
}
