/** Account mail: links that verify an address. Links are sealed in the queue. */
import { randomUUID } from 'node:crypto'
import { hostOf, isMailOn, type Letter, senderOf, sendLetter } from '#domains/instance/mail'
import type { Context, TxContext } from '#platform/context'
import { Problem } from '#platform/problem'
import { addJobs, type JobKind } from '#platform/queue'
import { type CountedLetter, countLetter } from './bounds.ts'
import { type LetterKind, WORDS } from './words.ts'

interface Order {
  readonly kind: LetterKind
  readonly email: string
  readonly name: string
  /** The link contains a token, so it is sealed against readers of the queue. */
  readonly sealedLink: string
  readonly id: string
}

export interface LetterWish extends CountedLetter {
  readonly name: string
  readonly link: string
}

const JOB = 'account_mail'
const PURPOSE = 'account_mail'
const ATTEMPTS_MAX = 10

/** Sent after COMMIT; never if mail is disabled. False if a limit is reached. */
export async function orderLetter(ctx: TxContext, wish: LetterWish): Promise<boolean> {
  if (!isMailOn(ctx.config)) return true
  if (!(await countLetter(ctx, wish))) return false
  const { kind, email, name, link } = wish
  const order: Order = { kind, email, name, sealedLink: ctx.seal.seal(PURPOSE, link), id: randomUUID() }
  await addJobs(ctx, [{ kind: JOB, payload: order, attemptsMax: ATTEMPTS_MAX }])
  return true
}

/** For callers who chose the address: reports that no mail was sent. */
export function tooManyLetters(): Problem {
  return new Problem('too_many', 'too much mail was sent to this address or by you, try again tomorrow')
}

export const letterJobs: readonly JobKind[] = [
  {
    name: JOB,
    concurrency: (config) => config['mail.concurrency'],
    run: (ctx, order) => send(ctx, order as Order),
  },
]

async function send(ctx: Context, order: Order): Promise<void> {
  if (!isMailOn(ctx.config)) return
  await sendLetter(ctx, write(ctx, order), async () => undefined)
}

function write(ctx: Context, { kind, email, name, sealedLink, id }: Order): Letter {
  const host = hostOf(ctx.site)
  const { subject, says } = WORDS[kind]
  const link = ctx.seal.open(PURPOSE, sealedLink)
  return {
    from: { name: host, address: senderOf(ctx) },
    to: { name, address: email },
    subject: subject(host),
    text: `${says(name, host)}\n\n${link}\n`,
    html: null,
    messageId: `${id}@${host}`,
    inReplyTo: null,
    at: ctx.now(),
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  }
}
