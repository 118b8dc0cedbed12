/** Metrics for Prometheus, and traces for a collector if one is configured. */
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Attributes,
  type Counter,
  type Histogram,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { MeterProvider } from '@opentelemetry/sdk-metrics'

export interface Telemetry {
  /** Runs `work` as a child span of the running one. Free when no collector is configured. */
  traced<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>
  readonly requestSeconds: Histogram
  readonly querySeconds: Histogram
  readonly jobSeconds: Histogram
  /** Objects that a row names and the store does not have, each time they are needed. */
  readonly lostObjects: Counter
  /** A gauge that is read when metrics are scraped. */
  observe(name: string, help: string, read: () => Promise<{ value: number; attributes?: Attributes }[]>): void
  /** The metrics in Prometheus text format. */
  scrape(): Promise<string>
  close(): Promise<void>
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export async function openTelemetry(options: { otlpUrl: string; version: string }): Promise<Telemetry> {
  const reader = new PrometheusExporter({ preventServerStart: true })
  const provider = new MeterProvider({ readers: [reader] })
  const meter = provider.getMeter('bloomery', options.version)
  const histogram = (name: string, description: string) =>
    meter.createHistogram(name, {
      description,
      unit: 's',
      advice: { explicitBucketBoundaries: SECONDS },
    })
  const lostObjects = meter.createCounter('bloomery_lost_objects', {
    description: 'reads of stored objects that are missing from the object store',
  })
  // An alert on the increase needs a value from before the first loss.
  lostObjects.add(0)
  const tracing = options.otlpUrl === '' ? undefined : await openTracing(options.otlpUrl)
  return {
    traced: (name, attributes, work) =>
      tracing === undefined ? work() : runInSpan(tracing.tracer, name, attributes, work),
    requestSeconds: histogram('bloomery_http_request_seconds', 'duration of HTTP requests'),
    querySeconds: histogram('bloomery_database_query_seconds', 'duration of database statements'),
    jobSeconds: histogram('bloomery_job_seconds', 'duration of jobs'),
    lostObjects,
    observe(name, description, read) {
      meter.createObservableGauge(name, { description }).addCallback(async (result) => {
        for (const { value, attributes } of await read()) result.observe(value, attributes)
      })
    },
    async scrape() {
      const { resourceMetrics } = await reader.collect()
      return new PrometheusSerializer().serialize(resourceMetrics)
    },
    async close() {
      await tracing?.close()
      await provider.shutdown()
    },
  }
}

/** The running span, so that a child finds its parent across awaits. */
const running = new AsyncLocalStorage<Span>()

function runInSpan<T>(
  tracer: Tracer,
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  const parent = running.getStore()
  const around = parent === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent)
  const span = tracer.startSpan(name, { attributes }, around)
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

/** Loaded on demand: most installations have no collector, and the exporter is not small. */
async function openTracing(url: string): Promise<{ tracer: Tracer; close: () => Promise<void> }> {
  const { BatchSpanProcessor, TracerProvider } = await import('@opentelemetry/sdk-trace')
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
  const provider = new TracerProvider({
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) })],
  })
  return { tracer: provider.getTracer('bloomery'), close: () => provider.shutdown() }
}
