/** CPU time of rendering a page, compared with a bare page of the same server in the same run. */
import assert from 'node:assert/strict'
import { after, mock, test } from 'node:test'
import Fastify from 'fastify'
import { CompiledQuery } from 'kysely'
import pg from 'pg'
import { startForge } from '#testing'

const ROUND = 60
const ROUNDS = 5
/**
 * Relative to a bare page, without the database: the driver's cost of the same statements alone is subtracted. The budget
 * is 3 ms, about ten times; measured are 10 to 21 times next to other tests, and this test keeps it from getting worse.
 */
const TIMES_MAX = 40

const forge = await startForge({ checksAnswers: false })
const bare = Fastify({ logger: false })
after(async () => {
  await bare.close()
  await forge[Symbol.asyncDispose]()
})

await forge.person('ann')
await forge.call('ann', 'POST', '/user/repos', { name: 'bell', auto_init: true })
for (let i = 0; i < 20; i++)
  await forge.call('ann', 'POST', '/repos/ann/bell/issues', { title: `Ring ${i}`, body: 'Ding, dong.' })
await forge.call('ann', 'POST', '/repos/ann/bell/issues/1/comments', { body: 'Louder.' })

/** Of the whole process, so that nothing of the page is missed; the client is included on both sides. */
async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  for (let i = 0; i < ROUND; i++) await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / ROUND
}

interface Statement {
  readonly text: string
  readonly values: unknown[]
}

/** All statements that `work` sends to PostgreSQL, in order. */
async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const asked: Statement[] = []
  const { query } = pg.Client.prototype
  const spy = mock.method(pg.Client.prototype, 'query', function (this: pg.Client, ...words: unknown[]) {
    asked.push(words[0] as Statement)
    return (query as (...words: unknown[]) => unknown).apply(this, words)
  })
  await work()
  spy.mock.restore()
  return asked
}

/** The same statements over the same driver, and nothing else. */
async function ask(statements: readonly Statement[]): Promise<void> {
  for (const { text, values } of statements) await forge.db.executeQuery(CompiledQuery.raw(text, values))
}

for (const path of ['/ann/bell/issues', '/ann/bell/issues/1', '/explore/repos', '/ann/bell'])
  test(`${path} costs at most ${TIMES_MAX} times what a bare page does, without the database`, async (t) => {
    const ann = await forge.browserOf('ann')
    const { status, text } = await ann.get(path)
    assert.equal(status, 200)
    const page = `/bare${path}`
    const base = await listen(page, text)
    const asked = await statementsOf(() => ann.get(path))
    assert.ok(asked.length > 0)
    const own: number[] = []
    const others: number[] = []
    const drivers: number[] = []
    // In turns, so that all share the same conditions; the best of each is its undisturbed cost.
    for (let round = 0; round < ROUNDS; round++) {
      own.push(await cpuMs(() => ann.get(path)))
      others.push(await cpuMs(async () => (await fetch(base + page)).text()))
      drivers.push(await cpuMs(() => ask(asked)))
    }
    const [whole, least, driver] = [own, others, drivers].map((it) => Math.min(...it)) as [
      number,
      number,
      number,
    ]
    const times = (whole - driver) / least
    t.diagnostic(
      `${whole.toFixed(2)} ms of CPU, ${driver.toFixed(2)} of it for ${asked.length} statements, ` +
        `a bare page ${least.toFixed(2)}: ${times.toFixed(1)} times`,
    )
    assert.ok(times <= TIMES_MAX, `${times.toFixed(1)} times`)
  })

let base: string | undefined
const texts = new Map<string, string>()

async function listen(path: string, text: string): Promise<string> {
  texts.set(path, text)
  if (base === undefined) {
    bare.get('/bare/*', async (request, reply) => reply.type('text/html').send(texts.get(request.url)))
    base = await bare.listen({ host: '127.0.0.1', port: 0 })
  }
  return base
}
