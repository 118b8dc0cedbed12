/** Metrics for Prometheus, and traces for a collector if one is configured. */
import type { Attributes, Counter, Histogram } from '@opentelemetry/api'
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import type { Logger } from './log.ts'
import { type Across, type Snapshot, writeSnapshot } from './snapshot.ts'
import { openTracing, runInSpan, runningTraceparent } from './tracing.ts'

export { countersOf, type Snapshot, sumSnapshots, writeSnapshot } from './snapshot.ts'

export interface Telemetry {
  /**
   * Runs `work` as a child span of the running one, or of that of the caller, as its `traceparent` header names it. Free
   * when no collector is configured.
   */
  traced<T>(name: string, attributes: Attributes, work: () => Promise<T>, caller?: string): Promise<T>
  /** The `traceparent` header for a request to another service, if there is a running span. */
  traceparent(): string | undefined
  readonly requests: Counter
  readonly requestSeconds: Histogram
  readonly querySeconds: Histogram
  readonly jobSeconds: Histogram
  /** Objects that a row names and the store does not have, each time they are needed. */
  readonly lostObjects: Counter
  counter(name: string, help: string): Counter
  /** Durations in seconds. */
  histogram(name: string, help: string): Histogram
  /** Metrics that are read together, when metrics are scraped. */
  observe<Name extends string>(
    metrics: Readonly<Record<Name, ObservedMetric>>,
    read: () => Readings<Name> | Promise<Readings<Name>>,
    options?: { readonly isOfForge?: boolean },
  ): void
  /** The metrics of this process; those of the whole forge, which cost statements, only if they are wanted. */
  snapshot(options: { readonly withForge: boolean }): Promise<Snapshot>
  /** All metrics in Prometheus text format. */
  scrape(): Promise<string>
  close(): Promise<void>
}

export interface ObservedMetric {
  readonly help: string
  /** A counter's value never falls while the process lives. */
  readonly kind: 'counter' | 'gauge'
  /** How the values of several processes make one; they are added up when absent. */
  readonly across?: Across
}

/** A number, or one for each set of labels. */
type Reading = number | readonly { readonly value: number; readonly attributes: Attributes }[]
export type Readings<Name extends string> = Readonly<Record<Name, Reading>>

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
/** Prometheus gives up after ten seconds; a database that does not answer must not cost the other metrics. */
const READ_MS_MAX = 3_000

export interface TelemetryOptions {
  /** Empty without a collector. */
  readonly otlpUrl: string
  readonly version: string
  readonly log?: Logger
}

export async function openTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const own = openMeter(options.version)
  const forge = openMeter(options.version)
  const across = new Map<string, Across>()
  const histogram = (name: string, description: string) =>
    own.meter.createHistogram(name, {
      description,
      unit: 's',
      advice: { explicitBucketBoundaries: SECONDS },
    })
  const counter = (name: string, description: string) => own.meter.createCounter(name, { description })
  const { otlpUrl: url, version, log } = options
  const tracing = url === '' ? undefined : await openTracing({ url, version, log })
  const snapshot: Telemetry['snapshot'] = async ({ withForge }) => {
    const read = await Promise.all([own.read(), withForge ? forge.read() : []])
    return read.flat().map((metric) => ({ metric, across: across.get(metric.descriptor.name) ?? 'sum' }))
  }
  const lostObjects = counter(
    'bloomery_lost_objects_total',
    'reads of stored objects that are missing from the object store',
  )
  // An alert on the increase needs a value from before the first loss.
  lostObjects.add(0)
  return {
    traced: (name, attributes, work, caller) =>
      tracing === undefined ? work() : runInSpan(tracing.tracer, name, attributes, caller, work),
    traceparent: () => (tracing === undefined ? undefined : runningTraceparent()),
    requests: counter('bloomery_http_requests_total', 'HTTP requests by route and status'),
    requestSeconds: histogram('bloomery_http_request_seconds', 'duration of HTTP requests'),
    querySeconds: histogram('bloomery_database_query_seconds', 'duration of database statements'),
    jobSeconds: histogram('bloomery_job_seconds', 'duration of jobs'),
    lostObjects,
    counter,
    histogram,
    observe(metrics, read, { isOfForge = false } = {}) {
      const { meter } = isOfForge ? forge : own
      const entries = Object.entries<ObservedMetric>(metrics).map(([name, metric]) => {
        if (metric.across !== undefined) across.set(name, metric.across)
        const facts = { description: metric.help }
        const instrument =
          metric.kind === 'counter'
            ? meter.createObservableCounter(name, facts)
            : meter.createObservableGauge(name, facts)
        return [name as keyof typeof metrics, instrument] as const
      })
      const instruments = entries.map(([, instrument]) => instrument)
      meter.addBatchObservableCallback(async (result) => {
        const readings = await read()
        for (const [name, instrument] of entries) {
          const reading: Reading = readings[name]
          if (typeof reading === 'number') result.observe(instrument, reading)
          else for (const { value, attributes } of reading) result.observe(instrument, value, attributes)
        }
      }, instruments)
    },
    snapshot,
    scrape: async () => writeSnapshot(await snapshot({ withForge: true })),
    async close() {
      await tracing?.close()
      await Promise.all([own.close(), forge.close()])
    },
  }
}

function openMeter(version: string) {
  const reader = new PrometheusExporter({ preventServerStart: true })
  const provider = new MeterProvider({ readers: [reader] })
  return {
    meter: provider.getMeter('bloomery', version),
    async read() {
      // A metric that could not be read is left out.
      const { resourceMetrics } = await reader.collect({ timeoutMillis: READ_MS_MAX })
      return resourceMetrics.scopeMetrics.flatMap(({ metrics }) => metrics)
    },
    close: () => provider.shutdown(),
  }
}
