/** The metrics of one process at one moment, the sum of several, and their text. A snapshot survives JSON. */
import { type DataPoint, DataPointType, type Histogram, type MetricData } from '@opentelemetry/sdk-metrics'

/** How the values of several processes make one value. */
export type Across = 'sum' | 'max' | 'min'

export type Snapshot = readonly MetricFamily[]

export interface MetricFamily {
  readonly metric: MetricData
  readonly across: Across
}

/** No instrument of ours makes exponential histograms. */
type Point = DataPoint<number> | DataPoint<Histogram>

/** One snapshot of several processes, by metric and labels. */
export function sumSnapshots(snapshots: readonly Snapshot[]): Snapshot {
  const families = new Map<string, { family: MetricFamily; points: Map<string, Point> }>()
  for (const family of snapshots.flat()) {
    const { name } = family.metric.descriptor
    const { points } = families.get(name) ?? { points: new Map<string, Point>() }
    families.set(name, { family, points })
    for (const point of family.metric.dataPoints as readonly Point[]) {
      const labels = labelsOf(point)
      const known = points.get(labels)
      points.set(labels, known === undefined ? point : combine(family.across, known, point))
    }
  }
  return [...families.values()].map(({ family, points }) => withPoints(family, [...points.values()]))
}

/** Counters and histograms of a snapshot: what a process that is gone has added for good. */
export function countersOf(snapshot: Snapshot): Snapshot {
  return snapshot.filter(({ metric }) => metric.dataPointType !== DataPointType.GAUGE)
}

/**
 * In Prometheus text format. Not by the serializer of OpenTelemetry, which blocks the event loop five times as long: for
 * 14,000 lines, those of 700 routes, 280 ms in place of 55.
 */
export function writeSnapshot(snapshot: Snapshot): string {
  return snapshot.map(({ metric }) => writeMetric(metric)).join('')
}

function writeMetric({ descriptor: { name, description }, ...metric }: MetricData): string {
  if (metric.dataPoints.length === 0) return ''
  const lines = [`# HELP ${name} ${description}`, `# TYPE ${name} ${typeOf(metric)}`]
  for (const point of metric.dataPoints as readonly Point[]) {
    const labels = writeLabels(point.attributes)
    if (typeof point.value === 'number')
      lines.push(`${name}${labels === '' ? '' : `{${labels}}`} ${point.value}`)
    else pushHistogram(lines, name, labels, point.value)
  }
  return `${lines.join('\n')}\n`
}

function typeOf(metric: Pick<MetricData, 'dataPointType'>): string {
  if (metric.dataPointType === DataPointType.HISTOGRAM) return 'histogram'
  return metric.dataPointType === DataPointType.SUM ? 'counter' : 'gauge'
}

function pushHistogram(
  lines: string[],
  name: string,
  labels: string,
  { buckets, count, sum }: Histogram,
): void {
  const [alone, before] = labels === '' ? ['', ''] : [`{${labels}}`, `${labels},`]
  let below = 0
  buckets.counts.forEach((more, i) => {
    below += more
    lines.push(`${name}_bucket{${before}le="${buckets.boundaries[i] ?? '+Inf'}"} ${below}`)
  })
  lines.push(`${name}_sum${alone} ${sum ?? 0}`, `${name}_count${alone} ${count}`)
}

function writeLabels(attributes: Point['attributes']): string {
  const write = ([name, value]: [string, unknown]) => `${name}="${escapeLabel(String(value))}"`
  return Object.entries(attributes).map(write).join(',')
}

function escapeLabel(text: string): string {
  return /["\\\n]/.test(text)
    ? text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
    : text
}

function labelsOf({ attributes }: Point): string {
  return JSON.stringify(Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function combine(across: Across, known: Point, more: Point): Point {
  const [a, b] = [known.value, more.value]
  if (typeof a === 'number' && typeof b === 'number') return { ...known, value: combineNumbers(across, a, b) }
  return { ...known, value: addHistograms(a as Histogram, b as Histogram) } as Point
}

function combineNumbers(across: Across, a: number, b: number): number {
  if (across === 'sum') return a + b
  return across === 'max' ? Math.max(a, b) : Math.min(a, b)
}

function addHistograms(a: Histogram, b: Histogram): Histogram {
  const { boundaries, counts } = a.buckets
  return {
    buckets: { boundaries, counts: counts.map((count, i) => count + (b.buckets.counts[i] ?? 0)) },
    count: a.count + b.count,
    sum: (a.sum ?? 0) + (b.sum ?? 0),
  }
}

function withPoints({ metric, across }: MetricFamily, dataPoints: readonly Point[]): MetricFamily {
  return { across, metric: { ...metric, dataPoints } as MetricData }
}
