/** Spans for a collector of traces. */
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'

/** The running span, so that a child finds its parent across awaits. */
const running = new AsyncLocalStorage<Span>()

export function runInSpan<T>(
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
export async function openTracing(url: string): Promise<{ tracer: Tracer; close: () => Promise<void> }> {
  const { BatchSpanProcessor, TracerProvider } = await import('@opentelemetry/sdk-trace')
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
  const provider = new TracerProvider({
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) })],
  })
  return { tracer: provider.getTracer('bloomery'), close: () => provider.shutdown() }
}
