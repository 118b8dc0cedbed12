/** Traces: spans are exported as children of the running span. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { openTelemetry } from './telemetry.ts'

interface Sent {
  readonly resourceSpans: {
    readonly scopeSpans: {
      readonly spans: { name: string; spanId: string; parentSpanId?: string; status: { code: number } }[]
    }[]
  }[]
}

test('spans are exported as children of the running span, with their errors', async () => {
  const bodies: Sent[] = []
  const collector = createServer(async (request, response) => {
    bodies.push((await json(request)) as Sent)
    response.setHeader('content-type', 'application/json').end('{}')
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const { port } = collector.address() as AddressInfo
  const telemetry = await openTelemetry({ otlpUrl: `http://127.0.0.1:${port}/v1/traces`, version: '0' })
  const failing = telemetry.traced('request', {}, async () => {
    await turn()
    await telemetry.traced('git log', {}, () => turn())
    throw new Error('no such thing')
  })
  await assert.rejects(failing, /no such thing/)
  await telemetry.close()
  collector.close()
  const spans = bodies.flatMap((it) =>
    it.resourceSpans.flatMap((it) => it.scopeSpans.flatMap((it) => it.spans)),
  )
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
  assert.equal(await telemetry.traced('request', {}, async () => 7), 7)
  await telemetry.close()
})
