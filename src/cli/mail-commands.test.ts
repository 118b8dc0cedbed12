/** The commands about mail, run as an operator would. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, MailServer, startForge } from '#testing'
import { runCommand } from '#testing/run-command'

const account = { user: 'forge', password: 'secret' }
let server: MailServer
let forge: Forge
before(async () => {
  server = await MailServer.start({ account })
  forge = await startForge()
})
after(async () => {
  await forge[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

/** Runs the command; returns all its output. */
async function run(words: readonly string[], more: Record<string, string | number>): Promise<string> {
  const mail = { 'mail.port': server.port, 'mail.tls': 'none', 'mail.user': account.user }
  const { stdout, stderr } = await runCommand(forge.world, words, { ...mail, ...more })
  return stdout + stderr
}

const on = { 'mail.host': '127.0.0.1', 'mail.password': account.password }

test('doctor connects to the mail server and signs in', async () => {
  assert.match(await run(['doctor'], on), /^ok +mail: 127\.0\.0\.1:\d+ answers and knows forge$/m)
  assert.match(await run(['doctor'], { ...on, 'mail.password': 'other' }), /^error +mail: .*535/m)
  assert.match(await run(['doctor'], {}), /^ok +mail: off/m)
})

test('a test mail is sent, or the failure is reported', async () => {
  const words = ['admin', 'mail', 'ann@example.test']
  assert.match(await run(words, on), /^sent to ann@example\.test$/m)
  assert.equal(server.of('ann@example.test').length, 1)
  assert.match(await run(words, { ...on, 'mail.password': 'other' }), /535/)
  assert.match(await run(words, {}), /mail is off/)
  assert.equal(server.taken.length, 1)
})
