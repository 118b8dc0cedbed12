/** Builds mails about issues, pull requests and transfer offers. Pure: no database, no clock. */
import type { Letter } from '#domains/instance/mail'
import type { MailKind } from '../tables.ts'
import type { FoundMail } from './store.ts'

export interface Writing {
  readonly mail: FoundMail
  readonly to: { readonly login: string; readonly full_name: string; readonly email: string }
  /** The sender address. */
  readonly sender: string
  /** The host name used in message ids and list ids. */
  readonly host: string
  readonly siteUrl: string
  /** The comment or body as Markdown; may be empty. */
  readonly said: string
  /** The same as HTML; null if it cannot be rendered. */
  readonly html: string | null
  /** The one-click unsubscribe URL for this issue; null if there is none. */
  readonly unsubscribe: string | null
}

const GHOST = 'Ghost'
const ACTS: Readonly<Record<MailKind, string>> = {
  created: 'opened this',
  commented: 'commented',
  closed: 'closed this',
  reopened: 'reopened this',
  assigned: 'assigned you',
  offered: 'offers this repository to you',
  pushed: 'pushed commits to this',
  ready: 'says this is ready for review',
  merged: 'merged this',
  review_requested: 'requested your review',
  approved: 'approved this',
  rejected: 'requested changes',
  reviewed: 'reviewed this',
  review_dismissed: 'dismissed a review',
}

export function writeLetter(writing: Writing): Letter {
  const { mail, to, host, said, unsubscribe } = writing
  const place = `${mail.owner}/${mail.name}`
  const actor = mail.actor_name || mail.actor_login || GHOST
  const subject =
    mail.issue_id === null ? `[${place}] transfer` : `[${place}] ${mail.title} (#${mail.number})`
  const act = `${actor} ${ACTS[mail.kind]}: ${subject}`.replace(/\s+/g, ' ')
  const page = pageOf(writing, place)
  return {
    from: { name: actor, address: writing.sender },
    to: { name: to.full_name || to.login, address: to.email },
    // Compat: all but the first mail are replies.
    subject: isFirst(mail) ? subject : `Re: ${subject}`,
    text: `${[act, said, endOf(page, unsubscribe)].filter((part) => part !== '').join('\n\n')}\n`,
    html: said !== '' && writing.html === null ? null : htmlOf(act, writing.html ?? '', page, unsubscribe),
    messageId: messageIdOf(mail, host),
    inReplyTo: isFirst(mail) ? null : `${rootOf(mail)}@${host}`,
    at: mail.created_at,
    headers: {
      'List-ID': `${place} <${mail.name}.${mail.owner}.${host}>`,
      'List-Archive': `<${page}>`,
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...(unsubscribe !== null && {
        'List-Unsubscribe': `<${unsubscribe}>`,
        // RFC 8058: one POST unsubscribes; a GET changes nothing.
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  }
}

function isFirst({ kind }: FoundMail): boolean {
  return kind === 'created' || kind === 'offered'
}

/** Ids, because names change. */
function rootOf({ issue_id, repository_id }: FoundMail): string {
  return issue_id === null ? `repository-${repository_id}` : `issue-${issue_id}`
}

function messageIdOf(mail: FoundMail, host: string): string {
  if (mail.kind === 'created') return `${rootOf(mail)}@${host}`
  const which = mail.comment_id ?? mail.created_at.getTime()
  return `${rootOf(mail)}-${mail.kind}-${which}@${host}`
}

function pageOf({ mail, siteUrl }: Writing, place: string): string {
  if (mail.issue_id === null) return `${siteUrl}/${place}`
  const page = `${siteUrl}/${place}/${mail.is_pull ? 'pulls' : 'issues'}/${mail.number}`
  return mail.comment_id === null ? page : `${page}#issuecomment-${mail.comment_id}`
}

function endOf(page: string, unsubscribe: string | null): string {
  return `-- \nView it: ${page}${unsubscribe === null ? '' : `\nUnsubscribe from it: ${unsubscribe}`}`
}

function htmlOf(act: string, said: string, page: string, unsubscribe: string | null): string {
  const ways = [
    `<a href="${escapeHtml(page)}">View it</a>`,
    ...(unsubscribe === null ? [] : [`<a href="${escapeHtml(unsubscribe)}">unsubscribe from it</a>`]),
  ]
  return `<p><b>${escapeHtml(act)}</b></p>\n${said}\n<hr>\n<p>${ways.join(' or ')}</p>\n`
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
