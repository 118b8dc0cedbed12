/** Metrics in the format of Prometheus, and traces that belong to those of their callers. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Type } from 'typebox'
import { openLog } from '#platform/log'
import { asAnybody, ok, route } from '#platform/rest'
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
  readonly status: { readonly code: number }
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

test('a trace goes on from a request to the service that it calls, and names this one', async () => {
  await using collector = await startCollector()
  const called: unknown[] = []
  await using receiver = await listen((request, response) => {
    called.push(request.headers.traceparent)
    response.end()
  })
  const callOut = route({
    method: 'GET',
    path: '/calls',
    operationId: 'callOut',
    tag: 'calls',
    summary: 'Call a service',
    scopes: [],
    answers: { 200: Type.Object({ status: Type.Integer() }) },
    open: asAnybody,
    handle: async ({ ctx }) => {
      const { status } = await ctx.outbound.request({ method: 'GET', url: receiver.url })
      return ok({ status })
    },
  })
  {
    const config = { 'telemetry.otlp_url': collector.url, 'outbound.allow_private': true }
    await using forge = await startForge({ config, routes: [callOut] })
    const call = (traceparent: string) => forge.call(null, 'GET', '/calls', undefined, { traceparent })
    assert.equal((await call(`00-${TRACE}-${CALLER}-01`)).body.status, 200)
    assert.equal((await call('nonsense')).body.status, 200)
  }
  const [span, stray] = collector.spans().filter(({ name }) => name === 'callOut')
  assert.deepEqual([span?.traceId, span?.parentSpanId], [TRACE, CALLER])
  assert.equal(called[0], `00-${TRACE}-${span?.spanId}-01`)
  assert.notEqual(stray?.traceId, TRACE)
  assert.equal(called[1], `00-${stray?.traceId}-${stray?.spanId}-01`)
  const { attributes = [] } = collector.bodies[0]?.resourceSpans[0]?.resource ?? {}
  const facts = new Map(attributes.map(({ key, value }) => [key, value.stringValue]))
  assert.equal(facts.get('service.name'), 'bloomery')
  assert.equal(facts.get('service.version'), VERSION)
  assert.match(facts.get('service.instance.id') ?? '', new RegExp(`-${process.pid}$`))
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
