/** Metrics in the format of Prometheus, and traces that belong to those of their callers. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { before, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Type } from 'typebox'
import { transact } from '#platform/context'
import { openLog } from '#platform/log'
import { addJobs, type JobKind } from '#platform/queue'
import { asAnybody, noContent, ok, route } from '#platform/rest'
import { startForge, until } from '#testing'
import { openTelemetry, type Snapshot, sumSnapshots, writeSnapshot } from './telemetry.ts'
import { VERSION } from './version.ts'

interface Sent {
  readonly resourceSpans: {
    readonly resource: { readonly attributes: { key: string; value: { stringValue?: string } }[] }
    readonly scopeSpans: { readonly spans: SentSpan[] }[]
  }[]
}

interface SentSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly status: { readonly code: number; readonly message?: string }
  readonly attributes: { key: string; value: { stringValue?: string } }[]
}

/** The trace and the span of a caller. */
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLER = '00f067aa0ba902b7'
/** So many spans are sent at once; fewer wait for more. */
const BATCH = 512

test('spans are exported as children of the running span, with their errors', async () => {
  await using collector = await startCollector()
  const telemetry = await openTelemetry({ otlpUrl: collector.url, version: '0' })
  const failing = telemetry.traced('request', {}, async () => {
    await turn()
    await telemetry.traced('git log', {}, () => turn())
    throw new Error('no such thing')
  })
  await assert.rejects(failing, /no such thing/)
  await telemetry.close()
  const spans = collector.spans()
  const [inner, outer] = [
    spans.find((it) => it.name === 'git log'),
    spans.find((it) => it.name === 'request'),
  ]
  assert.equal(inner?.parentSpanId, outer?.spanId)
  assert.ok(!outer?.parentSpanId)
  assert.equal(outer?.status.code, 2)
  assert.notEqual(inner?.status.code, 2)
})

test('without a collector traced work still runs', async () => {
  const telemetry = await openTelemetry({ otlpUrl: '', version: '0' })
  assert.equal(await telemetry.traced('request', {}, async () => telemetry.traceparent() ?? 7), 7)
  await telemetry.close()
})

interface TracedForge {
  readonly collector: Collector
  /** The `traceparent` headers of the requests that it made, by path. */
  readonly called: readonly { readonly path: string | undefined; readonly traceparent: unknown }[]
}

/** A forge that was called with and without a trace, and has sent its spans. */
async function callTracedForge(): Promise<TracedForge> {
  await using collector = await startCollector()
  const called: { path: string | undefined; traceparent: unknown }[] = []
  await using receiver = await listen((request, response) => {
    called.push({ path: request.url, traceparent: request.headers.traceparent })
    response.end()
  })
  const config = { 'telemetry.otlp_url': collector.url, 'outbound.allow_private': true }
  await using forge = await startForge({
    config,
    routes: [callOut(`${receiver.url}/out`), sendErrand],
    jobs: [errand],
  })
  await forge.person('ann')
  const facts = { url: `${receiver.url}/hook`, content_type: 'json' }
  const hook = { type: 'gitea', active: true, events: ['repository'], config: facts }
  assert.equal((await forge.call('ann', 'POST', '/user/hooks', hook)).status, 201)
  const headers = { traceparent: `00-${TRACE}-${CALLER}-01` }
  assert.equal((await forge.call(null, 'GET', '/calls', undefined, headers)).body.status, 200)
  const stray = await forge.call(null, 'GET', '/calls', undefined, { traceparent: 'nonsense' })
  assert.equal(stray.body.status, 200)
  assert.equal((await forge.call('ann', 'POST', '/user/repos', { name: 'site' }, headers)).status, 201)
  assert.equal((await forge.call(null, 'POST', '/errands', undefined, headers)).status, 204)
  await forge.runJobs()
  return { collector, called }
}

const callOut = (url: string) =>
  route({
    method: 'GET',
    path: '/calls',
    operationId: 'callOut',
    tag: 'calls',
    summary: 'Call a service',
    scopes: [],
    answers: { 200: Type.Object({ status: Type.Integer() }) },
    open: asAnybody,
    handle: async ({ ctx }) => ok({ status: (await ctx.outbound.request({ method: 'GET', url })).status }),
  })

const errand: JobKind = { name: 'errand', run: () => Promise.reject(new Error('the shop is closed')) }
const sendErrand = route({
  method: 'POST',
  path: '/errands',
  operationId: 'sendErrand',
  tag: 'calls',
  summary: 'Add a job',
  scopes: [],
  answers: { 204: null },
  open: asAnybody,
  handle: async ({ ctx }) => {
    await transact(ctx, (ctx) => addJobs(ctx, [{ kind: 'errand', payload: {}, attemptsMax: 1 }]))
    return noContent()
  },
})

let traced: TracedForge
before(async () => {
  traced = await callTracedForge()
})

test('a trace goes on from a request to the service that it calls, and names this one', () => {
  const { collector, called } = traced
  const [span, stray] = collector.spans().filter(({ name }) => name === 'callOut')
  const out = called.filter(({ path }) => path?.endsWith('/out')).map(({ traceparent }) => traceparent)
  assert.deepEqual([span?.traceId, span?.parentSpanId], [TRACE, CALLER])
  assert.equal(out[0], `00-${TRACE}-${span?.spanId}-01`)
  assert.notEqual(stray?.traceId, TRACE)
  assert.equal(out[1], `00-${stray?.traceId}-${stray?.spanId}-01`)
  const { attributes = [] } = collector.bodies[0]?.resourceSpans[0]?.resource ?? {}
  const facts = new Map(attributes.map(({ key, value }) => [key, value.stringValue]))
  assert.equal(facts.get('service.name'), 'bloomery')
  assert.equal(facts.get('service.version'), VERSION)
  assert.match(facts.get('service.instance.id') ?? '', new RegExp(`-${process.pid}$`))
})

test('a job continues the trace of the request that added it, in a span with its kind and outcome', () => {
  const { collector, called } = traced
  const spans = collector.spans().filter(({ traceId }) => traceId === TRACE)
  const idOf = (name: string) => spans.find((span) => span.name === name)?.spanId
  const jobs = spans.filter(({ name }) => name.startsWith('job '))
  const told = jobs.map(({ name, parentSpanId, status, attributes }) => ({
    name,
    parentSpanId,
    kind: attributes.find(({ key }) => key === 'job.kind')?.value.stringValue,
    failure: status.code === 2 ? status.message : undefined,
  }))
  assert.deepEqual(
    told.find(({ kind }) => kind === 'errand'),
    { name: 'job errand', parentSpanId: idOf('sendErrand'), kind: 'errand', failure: 'the shop is closed' },
  )
  assert.deepEqual(
    told.find(({ kind }) => kind === 'deliver'),
    { name: 'job deliver', parentSpanId: idOf('createCurrentUserRepo'), kind: 'deliver', failure: undefined },
  )
  const hook = called.find(({ path }) => path?.endsWith('/hook'))
  const sender = jobs.find(({ spanId }) => String(hook?.traceparent) === `00-${TRACE}-${spanId}-01`)
  assert.ok(sender, 'a webhook belongs to the trace of the request that it tells of')
})

test('a collector that fails is logged once, and so is its return', async () => {
  let status = 400
  let batches = 0
  await using collector = await listen((request, response) => {
    batches += 1
    request.resume().once('end', () => response.writeHead(status).end('{}'))
  })
  const lines: string[] = []
  const log = openLog('info', { write: (line) => void lines.push(JSON.parse(line).msg) })
  const telemetry = await openTelemetry({ otlpUrl: collector.url, version: '0', log })
  const sendBatch = async () => {
    const before = batches
    for (let i = 0; i < BATCH; i++) await telemetry.traced('work', {}, async () => undefined)
    await until(async () => batches > before)
  }
  await sendBatch()
  await until(async () => lines.length === 1)
  await sendBatch()
  // The answer to one batch is handled before the next one is sent.
  await sendBatch()
  assert.deepEqual(lines, ['traces could not be sent; check telemetry.otlp_url'])
  status = 200
  await sendBatch()
  await until(async () => lines.length === 2)
  assert.equal(lines[1], 'traces are sent again')
  await telemetry.close()
})

test('a scrape leaves out what cannot be read, or not in time', async () => {
  const telemetry = await openTelemetry({ otlpUrl: '', version: '0' })
  telemetry.observe({ broken: { kind: 'gauge', help: 'fails' } }, () => Promise.reject(new Error('away')))
  telemetry.observe({ stuck: { kind: 'gauge', help: 'hangs' } }, () => new Promise(() => undefined))
  telemetry.observe({ good: { kind: 'gauge', help: 'works' } }, () => ({ good: 7 }))
  const text = await telemetry.scrape()
  assert.match(text, /^# HELP good works\n# TYPE good gauge\ngood 7$/m)
  assert.doesNotMatch(text, /broken|stuck/)
  await telemetry.close()
})

test('metrics of two processes add up to a text that Prometheus reads', async () => {
  const process = async (seconds: number) => {
    const telemetry = await openTelemetry({ otlpUrl: '', version: '0' })
    telemetry.requests.add(2, { route: 'a "quoted" \\ route\n', status: 200 })
    telemetry.histogram('bloomery_test_seconds', 'durations').record(seconds)
    telemetry.observe({ bloomery_test_ready: { kind: 'gauge', help: 'readiness', across: 'min' } }, () => ({
      bloomery_test_ready: seconds < 1 ? 1 : 0,
    }))
    const snapshot = await telemetry.snapshot({ withForge: true })
    await telemetry.close()
    // As over the channel between processes.
    return JSON.parse(JSON.stringify(snapshot)) as Snapshot
  }
  const text = writeSnapshot(sumSnapshots([await process(0.002), await process(40)]))
  assert.match(text, /^bloomery_http_requests_total\{route="a \\"quoted\\" \\\\ route\\n",status="200"\} 4$/m)
  assert.match(text, /^bloomery_test_seconds_bucket\{le="0.001"\} 0$/m)
  assert.match(text, /^bloomery_test_seconds_bucket\{le="0.0025"\} 1$/m)
  assert.match(text, /^bloomery_test_seconds_bucket\{le="\+Inf"\} 2$/m)
  assert.match(text, /^bloomery_test_seconds_sum 40.002$/m)
  assert.match(text, /^bloomery_test_seconds_count 2$/m)
  assert.match(text, /^bloomery_test_ready 0$/m)
  const promtool = spawn('promtool', ['check', 'metrics'], { stdio: ['pipe', 'inherit', 'inherit'] })
  promtool.stdin.end(text)
  assert.deepEqual(await once(promtool, 'exit'), [0, null])
})

type Collector = Awaited<ReturnType<typeof startCollector>>

async function startCollector() {
  const bodies: Sent[] = []
  const server = await listen(async (request, response) => {
    bodies.push((await json(request)) as Sent)
    response.setHeader('content-type', 'application/json').end('{}')
  })
  const spans = () =>
    bodies.flatMap((it) => it.resourceSpans.flatMap((it) => it.scopeSpans.flatMap((it) => it.spans)))
  return { ...server, bodies, spans }
}

async function listen(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}/v1/traces`, [Symbol.asyncDispose]: close }
}
