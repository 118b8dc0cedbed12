/** Metrics of a process: CPU, memory, files, the event loop, and which build it runs. */
import { readdir, readFile } from 'node:fs/promises'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { Telemetry } from './telemetry.ts'
import { VERSION } from './version.ts'

/** A finer resolution costs an idle node a quarter of a second of CPU a minute (10 ms), this one 0.03. */
const RESOLUTION_MS = 100
const NANO = 1e-9

export function observeProcess(telemetry: Telemetry): void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  telemetry.observe(
    {
      process_cpu_seconds_total: { kind: 'counter', help: 'CPU time of the processes of this node' },
      process_resident_memory_bytes: { kind: 'gauge', help: 'resident memory of the processes of this node' },
      process_heap_bytes: { kind: 'gauge', help: 'JavaScript heap in use' },
      process_open_fds: { kind: 'gauge', help: 'open files of the process with the most', across: 'max' },
      process_max_fds: { kind: 'gauge', help: 'limit of open files of one process', across: 'min' },
      process_start_time_seconds: { kind: 'gauge', help: 'start of the oldest process', across: 'min' },
      bloomery_event_loop_lag_seconds: {
        kind: 'gauge',
        help: 'delay of timers since the last scrape, in the slowest process',
        across: 'max',
      },
      bloomery_event_loop_busy_seconds_total: { kind: 'counter', help: 'time the event loop was not idle' },
      bloomery_build_info: { kind: 'gauge', help: 'always 1', across: 'max' },
    },
    async () => {
      const { user, system } = process.cpuUsage()
      const { rss, heapUsed } = process.memoryUsage()
      const lag = [
        { value: lagOf(delay.percentile(50)), attributes: { quantile: '0.5' } },
        { value: lagOf(delay.percentile(99)), attributes: { quantile: '0.99' } },
        { value: lagOf(delay.max), attributes: { quantile: '1' } },
      ]
      delay.reset()
      const build = { version: VERSION, node: process.version }
      return {
        process_cpu_seconds_total: (user + system) / 1e6,
        process_resident_memory_bytes: rss,
        process_heap_bytes: heapUsed,
        process_open_fds: (await readdir('/proc/self/fd')).length,
        process_max_fds: await readFilesMax(),
        process_start_time_seconds: performance.timeOrigin / 1000,
        bloomery_event_loop_lag_seconds: lag,
        bloomery_event_loop_busy_seconds_total: performance.eventLoopUtilization().active / 1000,
        bloomery_build_info: [{ value: 1, attributes: build }],
      }
    },
  )
}

/** The monitor measures the time between its timers, in nanoseconds. */
function lagOf(measured: number): number {
  return Math.max(0, measured * NANO - RESOLUTION_MS / 1000)
}

async function readFilesMax(): Promise<number> {
  const limits = await readFile('/proc/self/limits', 'utf8')
  return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1])
}
