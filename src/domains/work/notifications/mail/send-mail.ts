/**
 * Sends one mail to one user, whose access is checked again. At most once: the row is marked with `begun_at` when the
 * server is ready for the content, and deleted when the server has accepted it. After a crash in between, the mark
 * keeps the mail from being sent twice.
 */
import { LRUCache } from 'lru-cache'
import { hostOf, isMailOn, isRefusal, senderOf, sendLetter } from '#domains/instance/mail'
import { render } from '#domains/instance/markup'
import { type Context, transact } from '#platform/context'
import { Problem } from '#platform/problem'
import type { JobKind } from '#platform/queue'
import { writeLetter } from './letter.ts'
import {
  beginMail,
  deleteMail,
  type FoundMail,
  findMail,
  findReceiver,
  MAIL_JOB,
  releaseMail,
} from './store.ts'
import { unsubscribeAddress } from './unsubscribe.ts'

/** In characters. Longer texts end with a link. */
const SAID_MAX = 65_536

export const mailJobs: readonly JobKind[] = [
  {
    name: MAIL_JOB,
    concurrency: (config) => config['mail.concurrency'],
    run: (ctx, order) => sendMail(ctx, (order as { mail_id: number }).mail_id),
  },
]

async function sendMail(ctx: Context, id: number): Promise<void> {
  const mail = await findMail(ctx.db, id)
  if (mail === undefined) return
  if (mail.begun_at !== null) ctx.log.warn({ 'mail.id': id }, 'mail may have been sent, not sent again')
  else await tryToSend(ctx, mail)
  await transact(ctx, (ctx) => deleteMail(ctx.db, id))
}

async function tryToSend(ctx: Context, mail: FoundMail): Promise<void> {
  const to = await findReceiver(ctx.db, mail)
  if (to === undefined || !isMailOn(ctx.config)) return
  const said = saidIn(mail)
  const letter = writeLetter({
    mail,
    to,
    said,
    html: said === '' ? null : await renderOnce(said, ctx.site.url),
    sender: senderOf(ctx),
    host: hostOf(ctx.site),
    siteUrl: ctx.site.url,
    unsubscribe: mail.issue_id === null ? null : unsubscribeAddress(ctx, mail.issue_id, mail.user_id),
  })
  let hasBegun = false
  try {
    await sendLetter(ctx, letter, async () => {
      hasBegun = await transact(ctx, (ctx) => beginMail(ctx.db, mail.id, ctx.now()))
      if (!hasBegun) throw new Error('mail is being sent by another worker')
    })
  } catch (error) {
    if (hasBegun && isRefusal(error)) await transact(ctx, (ctx) => releaseMail(ctx.db, mail.id))
    throw error
  }
}

function saidIn({ kind, body, comment }: FoundMail): string {
  const said = kind === 'created' ? body : comment
  return (said ?? '').slice(0, SAID_MAX).toWellFormed()
}

/** A text mailed to thousands is rendered once, also if rendering fails or is slow. null: cannot be rendered. */
const rendered = new LRUCache<string, Promise<string | null>>({ max: 50 })

function renderOnce(text: string, siteUrl: string): Promise<string | null> {
  const key = `${siteUrl} ${text}`
  const known = rendered.get(key)
  if (known !== undefined) return known
  const html = renderOrNot(text, siteUrl)
  rendered.set(key, html)
  // A rendering that was not attempted is retried.
  html.catch(() => rendered.delete(key))
  return html
}

async function renderOrNot(text: string, siteUrl: string): Promise<string | null> {
  try {
    // Without links to issues and users, because each receiver may see different ones.
    return await render({}, { text, keepsLines: true, siteUrl, links: [] })
  } catch (error) {
    if (error instanceof Problem && error.kind === 'invalid') return null
    throw error
  }
}
