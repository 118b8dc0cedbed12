/**
 * The event loop of a node is never blocked: each route that parses user text gets the largest and most hostile text that
 * it accepts, and `/healthz` is answered meanwhile. Each test prints its figure; the bound is for a busy machine.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { SimulatedRunner } from '#testing/slices/runners'
import { HostileForge } from './hostile-forge.ts'
import { Pulse } from './pulse.ts'

const DELAY_MS_MAX = 2_500
/** Other processes of a busy machine can delay one try. A parser that blocks the event loop does so every time. */
const TRIES_MAX = 3
const MIB = 1024 * 1024
const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }

let forge: HostileForge
let pulse: Pulse
before(async () => {
  forge = await HostileForge.open()
  await forge.call('POST', '/user/repos', { name: 'texts', auto_init: true })
  pulse = new Pulse(forge.url)
})
after(async () => {
  await pulse?.[Symbol.asyncDispose]()
  await forge?.[Symbol.asyncDispose]()
})

interface Sending {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string | Buffer
}

/** The status, once the whole answer has arrived. */
async function ask(path: string, { method = 'GET', headers = {}, body }: Sending = {}): Promise<number> {
  const answer = await fetch(forge.url + path, {
    method,
    redirect: 'manual',
    headers: { authorization: forge.authorization, accept: 'text/html', ...headers },
    ...(body !== undefined && { body }),
  })
  for await (const _ of answer.body ?? []);
  return answer.status
}

async function write(path: string, text: string): Promise<void> {
  const body = JSON.stringify({ content: Buffer.from(text).toString('base64'), message: 'm' })
  const sending = { method: 'POST', headers: JSON_TYPE, body }
  assert.equal(await ask(`/api/v1/repos/admin/texts/contents/${path}`, sending), 201)
}

/** `prepare` is not measured; `attack` returns the statuses that it got. */
function measure(what: string, attack: () => Promise<number[]>, prepare = async () => {}): void {
  test(what, async (t) => {
    await prepare()
    const delays: number[] = []
    do {
      await pulse.take()
      const statuses = await attack()
      delays.push(await pulse.take())
      t.diagnostic(`${delays.at(-1)} ms, answered ${[...new Set(statuses)].join(', ')}`)
      assert.ok(statuses.every((status) => status < 500 || status === 503))
    } while (Math.min(...delays) >= DELAY_MS_MAX && delays.length < TRIES_MAX)
    assert.ok(Math.min(...delays) < DELAY_MS_MAX, `/healthz took ${delays.join(', ')} ms`)
  })
}

const SLOW_MARKDOWN = [
  'a~ '.repeat(170_000),
  '[a]('.repeat(130_000),
  '> '.repeat(250_000),
  `|${'a|'.repeat(1_000)}\n|${'-|'.repeat(1_000)}\n${'|x|\n'.repeat(1_000)}`,
  '`a '.repeat(160_000),
  '@a #1 '.repeat(80_000),
]

measure('Markdown is rendered', () =>
  Promise.all(
    SLOW_MARKDOWN.map((Text) =>
      ask('/api/v1/markdown', { method: 'POST', headers: JSON_TYPE, body: JSON.stringify({ Text }) }),
    ),
  ),
)

measure(
  'a README and fences in it are shown',
  async () => [
    await ask('/admin/texts/src/branch/main/long.md'),
    await ask('/admin/texts/src/branch/main/fences.md'),
  ],
  async () => {
    await write('long.md', SLOW_MARKDOWN[0] ?? '')
    await write('fences.md', '```ts\nconst a = [{ b: `c` }]\n```\n\n'.repeat(15_000))
  },
)

measure(
  'issue templates are read',
  async () => [await ask('/api/v1/repos/admin/texts/issue_templates'), await ask('/admin/texts/issues/new')],
  async () => {
    const keys = Array.from({ length: 17_000 }, (_, i) => `k${i}:\n`).join('')
    for (const name of ['a', 'b', 'c'])
      await write(
        `.gitea/ISSUE_TEMPLATE/${name}.yaml`,
        `name: ${name}\nabout: a\nbody:\n  - {type: markdown, attributes: {value: a}}\n${keys}`,
      )
  },
)

measure(
  'a workflow is read, and its steps named',
  async () => [await ask('/api/v1/repos/admin/texts/actions/workflows'), await ask('/admin/texts/actions')],
  async () => {
    const env = Array.from({ length: 20_000 }, (_, i) => `  k${i}: 1\n`).join('')
    await write(
      '.gitea/workflows/keys.yml',
      `on: workflow_dispatch\njobs:\n  a:\n    runs-on: x\n    steps: [{run: x}]\nenv:\n${env}`,
    )
    await write('.gitea/workflows/deep.yml', `on: ${'['.repeat(200_000)}`)
  },
)

const POST_CONTENTS = '/api/v1/repos/admin/texts/contents'
measure('a JSON body is as large as it may be', async () => [
  await ask(POST_CONTENTS, { method: 'POST', headers: JSON_TYPE, body: `[${'{},'.repeat(10 * MIB)}{}]` }),
  await ask(POST_CONTENTS, { method: 'POST', headers: JSON_TYPE, body: '['.repeat(31 * MIB) }),
  await ask(POST_CONTENTS, {
    method: 'POST',
    headers: JSON_TYPE,
    body: `{"message":"${'\\u0041'.repeat(5 * MIB)}"}`,
  }),
])

measure('a form is as long as it may be', () =>
  Promise.all(
    ['a&', '+', '%41', 'a=%zz&'].map((unit) =>
      ask('/api/v1/user/repos', { method: 'POST', headers: FORM_TYPE, body: unit.repeat(MIB / unit.length) }),
    ),
  ),
)

const SOURCE = {
  'nested.ts': `${'['.repeat(1_000)}\n`.repeat(400),
  'lines.ts': 'const a = `b` + /c/.exec("d")?.[0] // e\n'.repeat(19_999),
  'words.json': `[${'{"a":[1,"b",null]},\n'.repeat(19_000)}0]`,
}
for (const [name, text] of Object.entries(SOURCE)) {
  measure(
    `${name} of ${Math.round(text.length / 1024)} KB is shown in colours`,
    async () => [await ask(`/admin/texts/src/branch/main/${name}`)],
    () => write(name, text),
  )
  measure(`the change that added ${name} is shown`, async () => {
    const [commit] = (await (
      await forge.call('GET', `/repos/admin/texts/commits?limit=1&path=${name}`)
    ).json()) as {
      sha: string
    }[]
    return [await ask(`/admin/texts/commit/${commit?.sha}`)]
  })
}

measure('a document of npm is as large as it may be', async () => {
  const put = (path: string, body: string) =>
    ask(`/api/packages/admin/npm/${path}`, { method: 'PUT', headers: JSON_TYPE, body })
  const many = (count: number) =>
    `{"name":"x","versions":{"1.0.0":{"name":"x","a":[${'{},'.repeat(count)}{}]}}}`
  return [await put('x', many((7 * MIB) / 3)), await put('x/-rev/1', many((31 * MIB) / 3))]
})

measure('a manifest is as large as it may be', async () => {
  const manifest = Buffer.from(`{"schemaVersion":2,"a":[${'{},'.repeat((4 * MIB) / 3 - 100)}{}]}`)
  const digest = createHash('sha256').update(manifest).digest('hex')
  const headers = { 'content-type': 'application/vnd.oci.image.manifest.v1+json' }
  return [await ask(`/v2/admin/image/manifests/sha256:${digest}`, { method: 'PUT', headers, body: manifest })]
})

measure('a runner sends as many rows as it may', async () => {
  const token = await forge.call('POST', '/repos/admin/texts/actions/runners/registration-token')
  const runner = await SimulatedRunner.register(forge.url, ((await token.json()) as { token: string }).token)
  const headers = { ...runner.identity, 'connect-protocol-version': '1' }
  const path = '/api/actions/runner.v1.RunnerService/UpdateLog'
  const binary = Buffer.alloc(15 * MIB, Buffer.from([0x1a, 0x00]))
  const rows = `{"taskId":"1","rows":[${'{},'.repeat(5 * MIB)}{}]}`
  return [
    await ask(path, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/proto' },
      body: binary,
    }),
    await ask(path, { method: 'POST', headers: { ...headers, ...JSON_TYPE }, body: rows }),
  ]
})
