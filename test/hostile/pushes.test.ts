/** Hand-made hostile pushes: names, trees, packs, numbers. What git's own rules refuse is refused, the rest is served. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { commit, copyFromBase, entry, object, pack, packOf, refDelta, tree } from './hand-made-pack.ts'
import { HostileForge, receivePack, toMib, uploadPack } from './hostile-forge.ts'
import { assertHarmless, assertUnharmed, blob, first, folder, foundTown, good, TOWN } from './town.ts'
import { FLUSH, linesOf, listing, pkts, ZERO } from './wire.ts'

const MIB = 1024 * 1024
const MANY = 100_000
const MISSING = '0123456789012345678901234567890123456789'

let forge: HostileForge
before(async () => {
  forge = await HostileForge.open()
  await foundTown(forge)
})
after(() => forge?.[Symbol.asyncDispose]())

/** By git's own rules; accepted names must be served like any other. */
const REF_NAMES: readonly { name: string | Buffer; isTaken?: true }[] = [
  { name: 'refs/heads/a..b' },
  { name: 'refs/heads/../../../../etc/passwd' },
  { name: '../x' },
  { name: '/refs/heads/x' },
  { name: 'refs/heads/x.lock' },
  { name: 'refs/heads/x.lock/y' },
  { name: 'refs/heads/.x' },
  { name: 'refs/heads/x.' },
  { name: 'refs/heads/x/' },
  { name: 'refs/heads//x' },
  { name: 'refs/heads/x\ny' },
  { name: 'refs/heads/x\n\n' },
  { name: 'refs/heads/x\ty' },
  { name: 'refs/heads/x y' },
  { name: 'refs/heads/x\x7f' },
  { name: 'refs/heads/x~1' },
  { name: 'refs/heads/x^' },
  { name: 'refs/heads/x:y' },
  { name: 'refs/heads/x?' },
  { name: 'refs/heads/x*' },
  { name: 'refs/heads/x[' },
  { name: 'refs/heads/x\\y' },
  { name: 'refs/heads/@{x' },
  { name: 'refs/heads' },
  { name: 'refs/x' },
  { name: 'HEAD' },
  { name: '--mirror' },
  { name: Buffer.from('refs/heads/\xff\xfe', 'latin1') },
  { name: `refs/heads/${'x'.repeat(1_100)}` },
  { name: `refs/heads/${'x'.repeat(65_350)}` },
  { name: `refs/heads/${'x/'.repeat(1_000)}x` },
  { name: 'refs/heads/-x', isTaken: true },
  { name: 'refs/heads/--upload-pack=touch', isTaken: true },
  { name: 'refs/heads/$(touch x)'.replace(' ', ';'), isTaken: true },
  { name: 'refs/heads/grün', isTaken: true },
]
test('invalid ref names are refused one by one, and nothing of them is kept', async () => {
  for (const { name, isTaken } of REF_NAMES) {
    const shown = name.toString('latin1').slice(0, 60)
    const command = Buffer.concat([Buffer.from(`${ZERO} ${first.oid} `), Buffer.from(name)])
    const { answer, report } = await forge.push(TOWN, [command], pack([]))
    assert.equal(answer.status, 200, shown)
    const verdicts = [...(report?.refs.values() ?? [])]
    if (isTaken) assert.deepEqual(verdicts, ['ok'], shown)
    else assert.ok(!verdicts.includes('ok'), `${shown} was taken`)
  }
  const wanted = REF_NAMES.flatMap(({ name, isTaken }) => (isTaken ? [String(name)] : []))
  assert.deepEqual((await listRefs()).sort(), ['HEAD', 'refs/heads/main', ...wanted].sort())
})

test('a ref name that is not UTF-8 does not block others in the push, unless it is atomic', async () => {
  const odd = Buffer.concat([Buffer.from(`${ZERO} ${first.oid} refs/heads/odd-`), Buffer.from([0xff])])
  const both = (name: string) => [`${ZERO} ${first.oid} refs/heads/${name}`, odd]
  const apart = await forge.push(TOWN, both('beside-odd'), pack([]))
  assert.equal(apart.report?.refs.get('refs/heads/beside-odd'), 'ok')
  const [head = '', other = ''] = both('with-odd')
  const body = Buffer.concat([pkts(`${head}\0 report-status atomic`, other, FLUSH), pack([])])
  const together = await forge.ask({ ...receivePack(TOWN), body })
  assert.equal(together.status, 200)
  assert.equal(together.body.includes('ok refs/heads/with-odd'), false)
  assert.ok(!(await listRefs()).some((name) => name.includes('odd-') || name.includes('with-odd')))
})

test('a ref named twice in one push moves at most once', async () => {
  const command = `${ZERO} ${first.oid} refs/heads/twice`
  const { answer } = await forge.push(TOWN, [command, command], pack([]))
  assert.equal(answer.status, 200)
})

async function listRefs(): Promise<string[]> {
  const { body } = await forge.ask({ ...uploadPack(TOWN, 2), body: listing() })
  return linesOf(body).map((line) => line.toString('utf8').trimEnd().split(' ')[1] ?? '')
}

/** What fsck reports as an error must be refused: a client that checks it out could be harmed. */
const TREES: readonly { name: string; entries: Parameters<typeof tree>[0]; isTaken?: true }[] = [
  { name: 'the folder above', entries: [{ mode: '40000', name: '..', oid: folder.oid }] },
  { name: 'the folder itself', entries: [{ mode: '40000', name: '.', oid: folder.oid }] },
  { name: '.git', entries: [{ mode: '40000', name: '.git', oid: folder.oid }] },
  { name: '.GIT', entries: [{ mode: '40000', name: '.GIT', oid: folder.oid }] },
  { name: 'git~1', entries: [{ mode: '40000', name: 'git~1', oid: folder.oid }] },
  { name: '.git with a space', entries: [{ mode: '40000', name: '.git ', oid: folder.oid }] },
  {
    name: '.git with a letter nobody sees',
    entries: [{ mode: '40000', name: '.g\u200cit', oid: folder.oid }],
  },
  { name: '.git behind a backslash', entries: [{ mode: '40000', name: 'x\\.git', oid: folder.oid }] },
  { name: 'no name', entries: [{ name: '', oid: blob.oid }] },
  { name: 'a slash', entries: [{ name: 'a/b', oid: blob.oid }] },
  { name: 'an absolute path', entries: [{ name: '/etc/passwd', oid: blob.oid }] },
  {
    name: 'one name twice',
    entries: [
      { name: 'a', oid: blob.oid },
      { name: 'a', oid: blob.oid },
    ],
  },
  {
    name: 'the wrong order',
    entries: [
      { name: 'b', oid: blob.oid },
      { name: 'a', oid: blob.oid },
    ],
  },
  { name: 'a mode with zeros', entries: [{ mode: '0100644', name: 'a', oid: blob.oid }] },
  { name: 'an object that is nothing', entries: [{ name: 'a', oid: ZERO }] },
  { name: 'an object that is not there', entries: [{ name: 'a', oid: MISSING }] },
  { name: 'modules as a link', entries: [{ mode: '120000', name: '.gitmodules', oid: blob.oid }] },
  { name: 'a line feed', entries: [{ name: 'a\nb', oid: blob.oid }], isTaken: true },
  { name: 'a flag', entries: [{ name: '--upload-pack=touch', oid: blob.oid }], isTaken: true },
  {
    name: 'bytes that are no text',
    entries: [{ name: Buffer.from([0xff, 0xfe]), oid: blob.oid }],
    isTaken: true,
  },
  { name: 'a long name', entries: [{ name: 'n'.repeat(4_000), oid: blob.oid }], isTaken: true },
]
for (const [i, { name, entries, isTaken }] of TREES.entries())
  test(`a tree with ${name} is ${isTaken ? 'taken' : 'refused'}`, async () => {
    const made = tree(entries)
    const tip = commit(made.oid, [], name)
    const { report } = await forge.push(TOWN, [`${ZERO} ${tip.oid} refs/heads/tree-${i}`], packOf(made, tip))
    const verdict = report?.refs.get(`refs/heads/tree-${i}`)
    if (isTaken) assert.equal(verdict, 'ok')
    else assert.ok(verdict !== undefined && verdict !== 'ok', `it was answered ${verdict}`)
  })

test('.gitmodules with a URL that is a flag are refused', async () => {
  const text = '[submodule "x"]\n\tpath = x\n\turl = --upload-pack=touch\n'
  const modules = object('blob', text)
  const made = tree([{ name: '.gitmodules', oid: modules.oid }])
  const tip = commit(made.oid)
  const { report } = await forge.push(
    TOWN,
    [`${ZERO} ${tip.oid} refs/heads/modules`],
    packOf(modules, made, tip),
  )
  assert.notEqual(report?.refs.get('refs/heads/modules'), 'ok')
})

const zeros = Buffer.alloc(16 * MIB - 1)
const base = object('blob', zeros)
const copies = (count: number) => Buffer.concat(Array(count).fill(copyFromBase(zeros.length)))
const bombOf = (count: number) =>
  refDelta(base.oid, { base: BigInt(zeros.length), result: BigInt(zeros.length * count) }, copies(count))

const PACKS: Readonly<Record<string, Buffer>> = {
  'claims four thousand million objects': pack([blob.packed], 0xffff_ffff),
  'claims one object too many': pack([blob.packed], 2),
  'claims one object too few': pack([blob.packed, folder.packed], 1),
  'is cut': good.subarray(0, good.length - 30),
  'has a wrong checksum': Buffer.concat([good.subarray(0, -20), Buffer.alloc(20)]),
  'is of another version': Buffer.concat([
    Buffer.from('PACK\0\0\0\x09\0\0\0\x01'),
    blob.packed,
    Buffer.alloc(20),
  ]),
  'is none': Buffer.alloc(5_000, 'x'),
  'has an object of no type': pack([entry(0, 6, Buffer.from('hello\n'))]),
  'has an object of a type that is kept for later': pack([entry(5, 6, Buffer.from('hello\n'))]),
  'has an object that is longer than it says': pack([entry(3, 2, Buffer.from('hello\n'))]),
  'has an object that is shorter than it says': pack([entry(3, 2 ** 40, Buffer.from('hello\n'))]),
  'has bytes that do not inflate': pack([Buffer.concat([Buffer.from([0x36]), Buffer.alloc(50, 0xff)])]),
  'has a delta of nothing': pack([refDelta(MISSING, { base: 6n, result: 6n }, copyFromBase(6))]),
  'has a delta that claims a terabyte': pack([
    blob.packed,
    refDelta(blob.oid, { base: 6n, result: 1n << 40n }, copyFromBase(6)),
  ]),
  'has a delta beyond all numbers': pack([
    blob.packed,
    refDelta(blob.oid, { base: 6n, result: (1n << 64n) - 1n }, copyFromBase(6)),
  ]),
  'has a delta that copies beyond its base': pack([
    blob.packed,
    refDelta(blob.oid, { base: 6n, result: 60n }, copyFromBase(60)),
  ]),
  'has a delta with an instruction that is none': pack([
    blob.packed,
    refDelta(blob.oid, { base: 6n, result: 6n }, Buffer.from([0])),
  ]),
}
for (const [name, bytes] of Object.entries(PACKS))
  test(`a pack that ${name} is refused`, async () => {
    const { answer, report } = await forge.push(TOWN, [`${ZERO} ${first.oid} refs/heads/packs`], bytes)
    assertHarmless(answer, [200])
    assert.notEqual(report?.refs.get('refs/heads/packs'), 'ok')
  })

test('a blob of a gigabyte of zeros is accepted without being held in memory', async () => {
  const bomb = object('blob', Buffer.alloc(1024 * MIB))
  const made = tree([{ name: 'zeros', oid: bomb.oid }])
  const tip = commit(made.oid)
  forge.peak.git = 0
  const { answer } = await forge.push(TOWN, [`${ZERO} ${tip.oid} refs/heads/zeros`], packOf(bomb, made, tip))
  assertHarmless(answer, [200])
  assert.ok(forge.peak.git < 200 * MIB, `git grew to ${toMib(forge.peak.git)} MiB`)
})

test('trees nested deeper than a stack are refused or served, without harm', async () => {
  for (const depth of [1_000, 100_000]) {
    const made = [blob, folder]
    let top = folder
    for (let i = 0; i < depth; i++) {
      top = tree([{ mode: '40000', name: 'd', oid: top.oid }])
      made.push(top)
    }
    const tip = commit(top.oid)
    const name = `refs/heads/deep-${depth}`
    const { answer } = await forge.push(TOWN, [`${ZERO} ${tip.oid} ${name}`], packOf(...made, tip))
    assertHarmless(answer, [200])
  }
})

test('a tree of a hundred thousand entries is accepted and served', async () => {
  const entries = Array.from({ length: MANY }, (_, i) => ({
    name: `file-${String(i).padStart(6, '0')}`,
    oid: blob.oid,
  }))
  const made = tree(entries)
  const tip = commit(made.oid)
  const { report } = await forge.push(TOWN, [`${ZERO} ${tip.oid} refs/heads/huge`], packOf(made, tip))
  assert.equal(report?.refs.get('refs/heads/huge'), 'ok')
})

test('a hundred thousand refs are created and deleted in one push each; deleting missing ones is refused', async () => {
  await foundTown(forge, 'many')
  const each = (command: (i: number) => string) => Array.from({ length: MANY }, (_, i) => command(i))
  const counted = (verdict: string, refs: ReadonlyMap<string, string> | undefined) =>
    [...(refs?.values() ?? [])].filter((it) => it === verdict).length
  const made = await forge.push(
    'many',
    each((i) => `${ZERO} ${first.oid} refs/tags/t-${i}`),
    pack([]),
  )
  assert.equal(counted('ok', made.report?.refs), MANY)
  const none = await forge.push(
    'many',
    each((i) => `${first.oid} ${ZERO} refs/tags/none-${i}`),
  )
  assertHarmless(none.answer, [200])
  assert.equal(counted('ok', none.report?.refs), 0)
  const told = await forge.ask({ ...uploadPack('many', 2), body: listing() })
  assert.equal(linesOf(told.body).length, MANY + 2)
  const gone = await forge.push(
    'many',
    each((i) => `${first.oid} ${ZERO} refs/tags/t-${i}`),
  )
  assert.equal(counted('ok', gone.report?.refs), MANY)
})

test('afterwards no git process is left, memory is bounded, and push, clone and fsck succeed', async () => {
  await assertUnharmed(forge)
})

test('a delta of a few bytes does not expand to an object of gigabytes', async () => {
  forge.peak.git = 0
  const { answer, report } = await forge.push(
    TOWN,
    [`${ZERO} ${first.oid} refs/heads/bomb`],
    pack([base.packed, bombOf(160)]),
  )
  const { git } = forge.peak
  forge.peak.git = 0
  assertHarmless(answer, [200])
  assert.notEqual(report?.refs.get('refs/heads/bomb'), 'ok')
  assert.ok(git < 1_200 * MIB, `git grew to ${toMib(git)} MiB`)
})
