/** `bloomery admin mail`: sends a test mail. */
import { randomUUID } from 'node:crypto'
import { hostOf, isMailOn, senderOf, sendLetter } from '#domains/instance/mail'
import { assertEmail } from '#domains/people/users'
import { OperatorError } from '#platform/operator-error'
import { mailRefused } from '../mail-refused.ts'
import { tell } from '../say.ts'
import { withWorld } from '../with-world.ts'

export async function sendTestMail(file: string | undefined, address: string): Promise<void> {
  assertEmail(address)
  await withWorld(file, async (ctx) => {
    if (!isMailOn(ctx.config)) throw new OperatorError('mail is off; set mail.host')
    const letter = {
      from: { name: ctx.site.name, address: senderOf(ctx) },
      to: { name: '', address },
      subject: `Test mail of ${ctx.site.url}`,
      text: `Mail of ${ctx.site.url} arrives.\n`,
      html: null,
      messageId: `${randomUUID()}@${hostOf(ctx.site)}`,
      inReplyTo: null,
      at: ctx.now(),
      headers: { 'Auto-Submitted': 'auto-generated' },
    }
    await sendLetter(ctx, letter, async () => undefined).catch(mailRefused(ctx.config))
  })
  tell(`sent to ${address}`)
}
