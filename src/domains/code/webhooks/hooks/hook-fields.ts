/** Converts a request to the columns of a hook: validated, normalized, secrets sealed. */
import type { Context } from '#platform/context'
import { findGlob } from '#platform/patterns'
import { invalid, Problem } from '#platform/problem'
import { interestsOf } from '../event-types.ts'
import type { CreateHook, EditHook } from '../schemas.ts'
import type { ContentType, HookPatch, HookRow, HookSettings, NewHookRow } from '../tables.ts'
import { isHookType } from './hook-types.ts'

/** The purposes that sealed texts of hooks are bound to. */
export const SECRET_PURPOSE = 'webhook secret'
export const AUTHORIZATION_PURPOSE = 'webhook authorization'

type Config = Readonly<Record<string, string>>
type Given = Omit<NewHookRow, 'scope' | 'repository_id' | 'owner_id' | 'created_at' | 'updated_at'>

const SLACK_CHANNEL = /^#?[a-z0-9_-]{1,80}$/
const TRUE = /^(1|t|true)$/i
const FALSE = /^(0|f|false)?$/i

export function newHook(ctx: Context, input: CreateHook): Given {
  const { type, config } = input
  if (!isHookType(type)) throw invalid('unknown webhook type', { type })
  for (const name of ['url', 'content_type'])
    if (config[name] === undefined) throw invalid(`config.${name}: is required`)
  const settings = type === 'slack' ? slackSettings(config, slackChannel(config)) : {}
  return {
    type,
    name: (input.name ?? '').trim(),
    url: urlOf(config.url ?? ''),
    content_type: contentTypeOf(config.content_type ?? ''),
    sealed_secret: sealed(ctx, SECRET_PURPOSE, config.secret ?? ''),
    settings: JSON.stringify(settings),
    is_active: input.active ?? false,
    ...selectionOf(ctx, input),
  }
}

/** Compat: events, filter and header are replaced even when omitted; other omitted fields stay. */
export function editedHook(ctx: Context, hook: HookRow, input: EditHook): HookPatch {
  const { config = {} } = input
  return {
    ...(input.name === undefined ? {} : { name: input.name.trim() }),
    ...(input.active === undefined ? {} : { is_active: input.active }),
    ...(config.url === undefined ? {} : { url: urlOf(config.url) }),
    ...(config.content_type === undefined ? {} : { content_type: contentTypeOf(config.content_type) }),
    ...(config.secret === undefined ? {} : { sealed_secret: sealed(ctx, SECRET_PURPOSE, config.secret) }),
    ...(hook.type === 'slack' && config.channel !== undefined
      ? { settings: JSON.stringify(slackSettings(config, slackChannel(config))) }
      : {}),
    ...selectionOf(ctx, input),
  }
}

/** Whether a site hook is a system hook (true), or a default hook that is copied into new repositories. */
export function isForSystem(config: Config): boolean {
  const text = config.is_system_webhook ?? ''
  if (TRUE.test(text)) return true
  if (FALSE.test(text)) return false
  throw invalid('config.is_system_webhook: must be true or false')
}

function selectionOf(ctx: Context, input: EditHook) {
  const { branch_filter = '', authorization_header = '' } = input
  if (findGlob(branch_filter, '') === undefined) throw invalid('invalid branch filter')
  return {
    events: interestsOf(input.events),
    branch_filter,
    sealed_authorization: sealed(ctx, AUTHORIZATION_PURPOSE, authorization_header.trim()),
  }
}

function urlOf(text: string): string {
  const url = URL.parse(text)
  if (url === null || url.hostname === '' || !/^https?:\/\/[^/?#\\]/i.test(text))
    throw invalid('config.url: must be an HTTP or HTTPS URL')
  return text
}

function contentTypeOf(text: string): ContentType {
  if (text !== 'json' && text !== 'form') throw invalid('config.content_type: must be json or form')
  return text
}

function slackChannel(config: Config): string {
  if (config.channel === undefined) throw invalid('config.channel: is required')
  const channel = config.channel.trim()
  if (!SLACK_CHANNEL.test(channel)) throw new Problem('malformed', 'config.channel: invalid channel name')
  return channel
}

function slackSettings(config: Config, channel: string): HookSettings {
  const { username = '', icon_url = '', color = '' } = config
  const all = { channel, username, icon_url, color }
  // JSON strings may contain lone surrogates, which a jsonb column rejects.
  return Object.fromEntries(Object.entries(all).map(([name, text]) => [name, text.toWellFormed()]))
}

function sealed(ctx: Context, purpose: string, text: string): string {
  return text === '' ? '' : ctx.seal.seal(purpose, text)
}
