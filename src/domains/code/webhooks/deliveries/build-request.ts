/** Builds the request of a delivery. Pure: hook, secrets and payload in, a request out. */
import { createHmac } from 'node:crypto'
import { type OutboundRequest, takeCredentials } from '#platform/outbound'
import { VERSION } from '#platform/version'
import type { WebhookPayload } from '#slices'
import { messageOf, SPEAK } from '../chat/index.ts'
import { groupOf } from '../event-types.ts'
import { isChat } from '../hooks/hook-types.ts'
import type { SentRequest } from '../tables.ts'
import type { HookWithSecrets } from './hook-with-secrets.ts'

export interface Notice {
  readonly uuid: string
  readonly type: string
  readonly body: string
  /** Describes the payload for chats. */
  readonly describe: WebhookPayload['describe']
}

export interface BuiltRequest {
  readonly request: OutboundRequest
  /** The request without secrets, for display. */
  readonly shown: SentRequest
}

const HIDDEN = '******'
const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

export function buildRequest(hook: HookWithSecrets, notice: Notice): BuiltRequest {
  const { url, authorization } = addressOf(hook, notice)
  const text = textFor(hook, notice)
  const isForm = hook.content_type === 'form' && !isChat(hook.type)
  const method = hook.type === 'matrix' ? 'PUT' : 'POST'
  const headers = {
    'user-agent': `Bloomery/${VERSION}`,
    'content-type': isForm ? FORM_TYPE : JSON_TYPE,
    ...eventHeaders(hook, notice),
    ...signatures(hook.secret, text),
  }
  const body = isForm ? new URLSearchParams({ payload: text }).toString() : text
  const secret = authorization === '' ? {} : { authorization }
  return {
    request: { method, url, headers: { ...headers, ...secret }, body },
    shown: {
      method,
      url,
      headers: { ...headers, ...(authorization === '' ? {} : { authorization: HIDDEN }) },
      body: text === notice.body ? null : text,
    },
  }
}

/** User and password in a URL are sent as basic authorization. */
function addressOf(hook: HookWithSecrets, { uuid }: Notice): { url: string; authorization: string } {
  const url = new URL(hook.url)
  const { username, password } = takeCredentials(url)
  // Matrix deduplicates by this transaction id, so a retry posts no second message.
  if (hook.type === 'matrix') url.pathname = `${url.pathname.replace(/\/$/, '')}/${uuid}`
  const given = username || password ? `${username}:${password}` : ''
  const basic = given && `Basic ${Buffer.from(given).toString('base64')}`
  return { url: url.href, authorization: hook.authorization || basic }
}

function textFor({ type, settings }: HookWithSecrets, notice: Notice): string {
  if (!isChat(type)) return notice.body
  return JSON.stringify(SPEAK[type](messageOf(notice.type, notice.body, notice.describe), settings), null, 2)
}

/** Compat: the same values under the header names of three families of receivers. */
function eventHeaders(hook: HookWithSecrets, { uuid, type }: Notice): Record<string, string> {
  const event = groupOf(type)
  const families = ['gitea', 'gogs', 'github'].map((family) => ({
    [`x-${family}-delivery`]: uuid,
    [`x-${family}-event`]: event,
    [`x-${family}-event-type`]: type,
  }))
  return Object.assign({}, ...families, {
    'x-gitea-hook-installation-target-type': hook.kind,
    'x-github-hook-installation-target-type': hook.kind,
  })
}

/** Compat: the JSON is signed, even when it is sent as a form; without a secret the signatures are empty. */
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
