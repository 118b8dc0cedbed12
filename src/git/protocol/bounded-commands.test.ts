/** Commands and options of a push are bounded, whichever command announces push options. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, GitClient, startForge } from '#testing'
import { FLUSH, pktLine } from './pkt-line.ts'

const EMPTY_PACK = Buffer.from('5041434b0000000200000000029d08823bd8a8eab510ad6ac75c823cfd3ed31e', 'hex')

let forge: Forge
let tip = ''
before(async () => {
  forge = await startForge({ config: { 'log.level': 'silent' } })
  await forge.person('ann')
  await forge.call('ann', 'POST', '/user/repos', { name: 'site' })
  await using ann = await GitClient.open(forge, 'ann', 'ann/site')
  tip = await ann.commit('file', 'content')
  await ann.ok('push', 'origin', 'main')
})
after(() => forge[Symbol.asyncDispose]())

const create = (branch: string, capabilities: string) =>
  pktLine(`${'0'.repeat(40)} ${tip} refs/heads/${branch}\0 report-status ${capabilities}`)

async function push(...parts: readonly Buffer[]): Promise<string> {
  const response = await fetch(`${forge.base}/ann/site.git/git-receive-pack`, {
    method: 'POST',
    headers: {
      authorization: `token ${forge.tokenOf('ann')}`,
      'content-type': 'application/x-git-receive-pack-request',
    },
    body: Buffer.concat(parts),
  })
  return response.text()
}

const options = (bytes: number) => {
  const option = pktLine('o'.repeat(60_000))
  return Buffer.concat(Array<Buffer>(Math.ceil(bytes / option.length)).fill(option))
}

for (const [what, first, second] of [
  ['the first command', 'push-options', 'agent=x'],
  ['the second command', 'agent=x', 'push-options'],
  ['a word with a value', 'agent=x', 'push-options=yes'],
] as const)
  test(`push options announced by ${what} are accepted up to a size limit`, async () => {
    const name = what.replaceAll(' ', '-')
    const commands = [create(`${name}-1`, first), create(`${name}-2`, second), FLUSH]
    assert.match(await push(...commands, pktLine('x=y'), FLUSH, EMPTY_PACK), /ok refs\/heads\//)
    const others = [create(`${name}-3`, first), create(`${name}-4`, second), FLUSH]
    assert.doesNotMatch(await push(...others, options(40_000_000), FLUSH, EMPTY_PACK), /ok refs\/heads\//)
  })

test('a push without options does not wait for them', async () => {
  assert.match(await push(create('plain', 'agent=x'), FLUSH, EMPTY_PACK), /ok refs\/heads\/plain/)
})
