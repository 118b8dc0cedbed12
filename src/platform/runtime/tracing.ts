/** Spans for a collector of traces, which belong to the trace of the caller and are named to those we call. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { hostname } from 'node:os'
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import type { SpanExporter, TracerProviderOptions } from '@opentelemetry/sdk-trace'
import { type Logger, RepeatedWork } from './log.ts'

export interface Tracing {
  readonly tracer: Tracer
  close(): Promise<void>
}

export interface TracingOptions {
  readonly url: string
  readonly version: string
  readonly log: Logger | undefined
}

/** The running span, so that a child finds its parent across awaits. */
const running = new AsyncLocalStorage<Span>()
/** W3C Trace Context: version, trace, parent, flags. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/

/** `caller` is the `traceparent` of a request; the running span comes first. */
export function runInSpan<T>(
  tracer: Tracer,
  name: string,
  attributes: Attributes,
  caller: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const span = tracer.startSpan(name, { attributes }, parentOf(caller))
  return running.run(span, async () => {
    try {
      return await work()
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).message })
      throw error
    } finally {
      span.end()
    }
  })
}

/** The running span for a request to another service; undefined outside of spans. */
export function runningTraceparent(): string | undefined {
  const span = running.getStore()
  if (span === undefined) return undefined
  const { traceId, spanId, traceFlags } = span.spanContext()
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}

function parentOf(caller: string | undefined): Context {
  const parent = running.getStore()
  if (parent !== undefined) return trace.setSpan(ROOT_CONTEXT, parent)
  const [, traceId, spanId, flags] = TRACEPARENT.exec(caller ?? '') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT
  const traceFlags = Number.parseInt(flags, 16)
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}

/** Loaded on demand: most installations have no collector, and the exporter is not small. */
export async function openTracing({ url, version, log }: TracingOptions): Promise<Tracing> {
  const { BatchSpanProcessor, TracerProvider } = await import('@opentelemetry/sdk-trace')
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
  const exporter = reportFailures(new OTLPTraceExporter({ url }), log)
  const provider = new TracerProvider({
    resource: resourceOf(version),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  return { tracer: provider.getTracer('bloomery', version), close: () => provider.shutdown() }
}

/** Names this process to the collector. */
function resourceOf(version: string): NonNullable<TracerProviderOptions['resource']> {
  const attributes = {
    'service.name': 'bloomery',
    'service.version': version,
    'service.instance.id': `${hostname()}-${process.pid}`,
    'host.name': hostname(),
    'process.pid': process.pid,
  }
  const resource = {
    attributes,
    merge: () => resource,
    getRawAttributes: () => Object.entries(attributes),
  }
  return resource
}

/** Spans that a failing collector does not take are lost. */
function reportFailures(exporter: SpanExporter, log: Logger | undefined): SpanExporter {
  const sending = new RepeatedWork(log, {
    failed: 'traces could not be sent; check telemetry.otlp_url',
    works: 'traces are sent again',
  })
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error === undefined) sending.worked()
        else sending.failed({ err: result.error })
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}
