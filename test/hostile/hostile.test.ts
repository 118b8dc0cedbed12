/**
 * Hand-made hostile requests: every one is answered or disconnected within a bound, none with 5xx, nothing grows without
 * bound, no process is left over, and afterwards the forge works as before.
 *
 * Hostile pushes: pushes.test.ts. Random changes: fuzz.test.ts.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { HostileForge, receivePack, uploadPack } from './hostile-forge.ts'
import { SshGuest } from './ssh-guest.ts'
import { assertHarmless, assertUnharmed, first, foundTown, good, TOWN } from './town.ts'
import { type Ask, FLUSH, listing, pkt, pkts, ZERO } from './wire.ts'

const GZIP = { 'content-encoding': 'gzip' }
const MIB = 1024 * 1024
const MISSING = '0123456789012345678901234567890123456789'

let forge: HostileForge
before(async () => {
  forge = await HostileForge.open()
  await foundTown(forge)
})
after(() => forge?.[Symbol.asyncDispose]())

const refs = (owner: string, repo: string, query = 'service=git-upload-pack'): Ask => ({
  path: `/${owner}/${repo}/info/refs?${query}`,
})

const ADDRESSES: readonly { name: string; ask: Ask; status: readonly (number | undefined)[] }[] = [
  { name: 'dots for an owner', ask: refs('%2e%2e', 'town.git'), status: [404] },
  { name: 'dots for an owner, as they are', ask: refs('..', 'town.git'), status: [404] },
  { name: 'dots for a repository', ask: refs('admin', '%2e%2e%2f%2e%2e%2fetc'), status: [404] },
  { name: 'an encoded slash', ask: refs('admin%2ftown', 'town.git'), status: [404] },
  { name: 'a null character in an owner', ask: refs('ad%00min', 'town.git'), status: [404] },
  { name: 'a null character in a repository', ask: refs('admin', 'town%00.git'), status: [404] },
  { name: 'a line feed in a repository', ask: refs('admin', 'town%0a.git'), status: [404] },
  { name: 'bytes that are no text', ask: refs('admin', '%ff%fe.git'), status: [400, 404] },
  { name: 'a broken escape', ask: refs('admin', '%zz'), status: [400, 404] },
  { name: 'a flag for a repository', ask: refs('admin', '--upload-pack=touch'), status: [404] },
  { name: 'a long owner', ask: refs('a'.repeat(1_900), 'town.git'), status: [404] },
  { name: 'a longer repository', ask: refs('admin', 'a'.repeat(10_000)), status: [404, 414] },
  { name: 'a repository beyond all bounds', ask: refs('admin', 'a'.repeat(100_000)), status: [414, 431] },
  { name: 'no service', ask: refs('admin', 'town.git', ''), status: [403] },
  {
    name: 'two services',
    ask: refs('admin', 'town.git', 'service=git-upload-pack&service=x'),
    status: [400],
  },
  { name: 'a flag for a service', ask: refs('admin', 'town.git', 'service=--help'), status: [400] },
  {
    name: 'a protocol that is a command',
    ask: { ...refs('admin', 'town.git'), headers: { 'git-protocol': 'version=2;touch x' } },
    status: [200],
  },
]
for (const { name, ask, status } of ADDRESSES)
  test(`address: ${name}`, async () => assertHarmless(await forge.ask(ask), status))

const fetching = (...lines: readonly string[]) => pkts('command=fetch\n', '0001', ...lines, FLUSH)

/** To upload-pack and to receive-pack, in every protocol: malformed lengths and bytes. */
const NONSENSE: Readonly<Record<string, Buffer>> = {
  'nothing at all': Buffer.alloc(0),
  'only a flush': Buffer.from('0000'),
  'a thousand flushes': Buffer.from('0000'.repeat(1_000)),
  'delimiters and ends': Buffer.from('000100020001'),
  'a length that is no number': Buffer.from('zzzz'),
  'a length of three': Buffer.from('0003'),
  'a negative length': Buffer.from('-001'),
  'a length beyond the limit': Buffer.concat([Buffer.from('ffff'), Buffer.alloc(0xffff, 'a')]),
  'a length beyond the end': Buffer.from('0fffhello'),
  'half a length': Buffer.from('00'),
  'empty lines': Buffer.from('0004'.repeat(1_000)),
  zeros: Buffer.alloc(MIB),
  'text in capitals': Buffer.from('GET / HTTP/1.1\r\n\r\n'),
}
for (const [name, body] of Object.entries(NONSENSE))
  for (const [service, ask] of Object.entries({
    'upload-pack, protocol 0': uploadPack(TOWN, 0),
    'upload-pack, protocol 2': uploadPack(TOWN, 2),
    'receive-pack': receivePack(TOWN),
  }))
    test(`${service}: ${name}`, async () => assertHarmless(await forge.ask({ ...ask, body }), [200, 400]))

const BODIES: readonly { name: string; ask: Ask; status: readonly (number | undefined)[] }[] = [
  {
    name: 'an unknown command',
    ask: { ...uploadPack(TOWN, 2), body: pkts('command=--exec\n', FLUSH) },
    status: [400],
  },
  { name: 'no command', ask: { ...uploadPack(TOWN, 2), body: pkts('agent=x\n', FLUSH) }, status: [400] },
  {
    name: 'a prefix with a null character',
    ask: { ...uploadPack(TOWN, 2), body: listing('ref-prefix refs/\0heads\n') },
    status: [400],
  },
  {
    name: 'a prefix that is no text',
    ask: { ...uploadPack(TOWN, 2), body: listing(Buffer.from('ref-prefix \xff\xfe\n', 'latin1')) },
    status: [200],
  },
  {
    name: 'a thousand long prefixes',
    ask: { ...uploadPack(TOWN, 2), body: listing(...Array(1_000).fill(`ref-prefix ${'a'.repeat(5_000)}\n`)) },
    status: [200],
  },
  {
    name: 'half a million prefixes',
    ask: {
      ...uploadPack(TOWN, 2),
      body: Buffer.concat([
        pkts('command=ls-refs\n', '0001'),
        Buffer.alloc(12_000_000, '0019ref-prefix refs/heads'),
      ]),
    },
    status: [200, 413],
  },
  {
    name: 'a fetch with an unknown argument',
    ask: { ...uploadPack(TOWN, 2), body: fetching('--upload-pack=touch\n', 'done\n') },
    status: [200, 400],
  },
  {
    name: 'a fetch of nothing',
    ask: { ...uploadPack(TOWN, 2), body: fetching('done\n') },
    status: [200],
  },
  {
    name: 'a fetch of what is not there',
    ask: { ...uploadPack(TOWN, 2), body: fetching(`want ${MISSING}\n`, 'done\n') },
    status: [200],
  },
  {
    name: 'a fetch with a filter that is nonsense',
    ask: {
      ...uploadPack(TOWN, 2),
      body: fetching(`want ${first.oid}\n`, 'filter sparse:path=/etc/passwd\n', 'done\n'),
    },
    status: [200],
  },
  {
    name: 'a fetch as deep as numbers go',
    ask: {
      ...uploadPack(TOWN, 2),
      body: fetching(`want ${first.oid}\n`, 'deepen 99999999999999999999\n', 'done\n'),
    },
    status: [200],
  },
  {
    name: 'an old fetch of what is not there',
    ask: { ...uploadPack(TOWN, 0), body: pkts(`want ${MISSING}\n`, FLUSH, 'done\n') },
    status: [200],
  },
  {
    name: 'a type that is not of git',
    ask: { ...uploadPack(TOWN, 2), headers: { 'content-type': 'text/plain' }, body: listing() },
    status: [400],
  },
  {
    name: 'a push of a type that is not of git',
    ask: { ...receivePack(TOWN), headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') },
    status: [400],
  },
  {
    name: 'an unknown encoding',
    ask: compressed(receivePack(TOWN), Buffer.from('0000'), { 'content-encoding': 'br' }),
    status: [400],
  },
  {
    name: 'a fetch that says it is compressed',
    ask: compressed(uploadPack(TOWN, 2), listing()),
    status: [400],
  },
  {
    name: 'a push that says it is compressed',
    ask: compressed(receivePack(TOWN), pkts(`${ZERO} ${first.oid} refs/heads/x`, FLUSH)),
    status: [200, 400],
  },
  {
    name: 'a compressed fetch that is cut',
    ask: compressed(uploadPack(TOWN, 2), gzipSync(listing()).subarray(0, 20)),
    status: [400],
  },
  {
    name: 'a compressed push that is cut',
    ask: compressed(receivePack(TOWN), gzipSync(good).subarray(0, 60)),
    status: [200, 400],
  },
  {
    name: 'a request longer than the limit',
    ask: { ...uploadPack(TOWN, 2), body: Buffer.alloc(40 * MIB, '0') },
    status: [413],
  },
  {
    name: 'a request with millions of empty lines',
    ask: { ...uploadPack(TOWN, 2), body: Buffer.alloc(30 * MIB, '0004') },
    status: [413],
  },
  {
    name: 'a length that is more than was sent',
    ask: {
      ...receivePack(TOWN),
      headers: { ...receivePack(TOWN).headers, 'content-length': '5000' },
      body: Buffer.from('00a0'),
    },
    status: [undefined, 200, 400],
  },
  {
    name: 'chunks that are none',
    ask: {
      ...receivePack(TOWN),
      headers: { ...receivePack(TOWN).headers, 'content-length': '5', 'transfer-encoding': 'chunked' },
      body: Buffer.from('zzzzzz\r\n'),
    },
    status: [undefined, 400],
  },
]
for (const { name, ask, status } of BODIES)
  test(`request: ${name}`, async () => assertHarmless(await forge.ask(ask, { patienceMs: 5_000 }), status))

test('a push whose client disconnects at any point ends', async () => {
  const ask = {
    ...receivePack(TOWN),
    body: Buffer.concat([pkts(`${ZERO} ${first.oid} refs/heads/left`, FLUSH), good]),
  }
  for (const cutAfter of [100, 300, 350, 400, 450, 500]) await forge.ask(ask, { cutAfter })
  await forge.untilQuiet()
})

test('a client that disconnects before the answer causes no error on the node', async () => {
  forge.takeErrors()
  const push = (name: string) => ({
    ...receivePack(TOWN),
    body: Buffer.concat([pkts(`${ZERO} ${first.oid} refs/heads/${name}`, FLUSH), good]),
  })
  for (const patienceMs of [5, 10, 15, 20, 25, 30, 35, 40, 45, 50])
    await forge.ask(push(`unheard-${patienceMs}`), { patienceMs })
  await forge.untilQuiet()
  assert.deepEqual(forge.takeErrors(), [])
})

function compressed(ask: Ask, body: Buffer, headers: Record<string, string> = GZIP): Ask {
  return { ...ask, headers: { ...ask.headers, ...headers }, body }
}

test('a 256 MiB body compressed to 256 KiB is not unpacked, neither for a fetch nor for a push', async () => {
  const bomb = gzipSync(Buffer.alloc(256 * MIB))
  assertHarmless(await forge.ask(compressed(uploadPack(TOWN, 2), bomb)), [413, undefined])
  assertHarmless(await forge.ask(compressed(uploadPack(TOWN, 0), bomb)), [413, undefined])
  assertHarmless(await forge.ask(compressed(receivePack(TOWN), bomb)), [200, 400, undefined])
})

test('endless commands of a push are cut off, however small', async () => {
  const line = pkt(`${ZERO} ${first.oid} refs/heads/again\0 report-status`)
  const bomb = gzipSync(Buffer.concat(Array(600_000).fill(line)))
  const { status, body } = await forge.ask(compressed(receivePack(TOWN), bomb))
  assertHarmless({ status, body, tookMs: 0 }, [200, undefined])
  assert.equal(body.includes('ok refs/heads/again'), false)
})

test('endless push options are cut off, too', async () => {
  const head = pkts(`${ZERO} ${first.oid} refs/heads/options\0 report-status push-options`, FLUSH)
  const bomb = gzipSync(
    Buffer.concat([head, ...Array(600_000).fill(pkt('an option of no meaning whatsoever'))]),
  )
  const { status, body } = await forge.ask(compressed(receivePack(TOWN), bomb))
  assertHarmless({ status, body, tookMs: 0 }, [200, undefined])
  assert.equal(body.includes('ok refs/heads/options'), false)
})

test("over SSH, commands other than git's are refused, and malformed input is cut off", async (t) => {
  const guest = await SshGuest.open(forge)
  if (guest === undefined) return t.skip('there is no SSH here')
  for (const command of [
    'ls -la /',
    'git-upload-pack',
    "git-upload-pack '--help'",
    "git-upload-pack '../../../etc/passwd'",
    "git-upload-pack 'admin/town.git'; touch x",
    "git-upload-pack 'admin/to\nwn.git'",
    `git-upload-pack '${'a'.repeat(5_000)}/x'`,
    'git-receive-pack "admin/$(id)"',
    'git-shell -c id',
  ]) {
    const { code, signal, output } = await guest.say(command)
    assert.equal(signal, null, `no answer to ${command}`)
    assert.notEqual(code, 0, command)
    assert.equal(output.length, 0, command)
  }
  for (const input of Object.values(NONSENSE))
    for (const [command, protocol] of [
      ["git-upload-pack 'admin/town.git'", 'version=2'],
      ["git-upload-pack 'admin/town.git'", ''],
      ["git-receive-pack 'admin/town.git'", ''],
    ] as const) {
      const { signal } = await guest.say(command, input, protocol)
      assert.equal(signal, null, `no end of ${command}`)
    }
  const line = pkt(`${ZERO} ${first.oid} refs/heads/again\0 report-status`)
  const endless = Buffer.concat([...Array(600_000).fill(line), Buffer.from(FLUSH)])
  const { signal, output } = await guest.say("git-receive-pack 'admin/town.git'", endless)
  assert.equal(signal, null, 'no end of commands')
  assert.equal(output.includes('ok refs/heads/again'), false)
  assert.equal(output.includes('ng refs/heads/again'), false, 'all the commands were listened to')
})

test('afterwards no git process is left, memory is bounded, and push, clone and fsck succeed', async () => {
  await assertUnharmed(forge)
})

test('credentials with a NUL are wrong credentials', async () => {
  const authorization = `Basic ${Buffer.from('ad\0min:pass\0word').toString('base64')}`
  assertHarmless(await forge.ask({ ...refs('admin', 'town.git'), headers: { authorization } }), [401])
  forge.takeErrors()
})

test('client input does not make a node discard its cached copies', async () => {
  const said = forge.complaints.length
  for (const line of ['corrupt', 'bad object', 'missing'])
    await forge.ask({ ...uploadPack(TOWN, 2), body: fetching(`${line}\n`) })
  await forge.untilQuiet()
  assert.deepEqual(
    forge.complaints.slice(said).filter((it) => it.includes('healed the cache')),
    [],
  )
})
