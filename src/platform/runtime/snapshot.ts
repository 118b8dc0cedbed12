/** The metrics of one process at one moment, the sum of several, and their text. A snapshot survives JSON. */
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
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

/** In Prometheus text format. */
export function writeSnapshot(snapshot: Snapshot): string {
  const metrics = snapshot.filter(({ metric }) => metric.dataPoints.length > 0).map(({ metric }) => metric)
  // Neither the resource nor the scope is written: Prometheus names the node, and all metrics have one scope.
  const writer = new PrometheusSerializer(undefined, false, undefined, true, true)
  const resource = { attributes: {} } as Parameters<typeof writer.serialize>[0]['resource']
  return `${writer.serialize({ resource, scopeMetrics: [{ scope: { name: 'bloomery' }, metrics }] })}\n`
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
