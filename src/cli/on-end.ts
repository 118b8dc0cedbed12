/** How a process of `bloomery serve` learns that it must stop. */
import cluster, { type Worker } from 'node:cluster'

/** Messages from the supervisor to its processes. */
const STOP = 'stop'
const SSH_ENDED = 'ssh ended'
/** A terminal sends Ctrl-C to a program and to the npm that started it, which passes it on: that is one signal. */
const SAME_SIGNAL_MS = 1_000

/**
 * Ends once, in order, on a signal or when the parent process is gone; a second signal ends the process at once.
 *
 * A process of a supervisor waits for its message: a terminal or systemd may signal all processes at the same time, but
 * sshd must stop before the processes that answer its questions.
 */
export function onEnd(end: () => Promise<void>, atOnce: () => void = () => undefined): void {
  let endedAt: number | undefined
  const once = () => {
    if (endedAt !== undefined) return
    endedAt = performance.now()
    end().then(
      () => process.exit(),
      () => process.exit(1),
    )
  }
  const onSignal = () => {
    if (cluster.isWorker) return
    if (endedAt === undefined || performance.now() - endedAt < SAME_SIGNAL_MS) return once()
    atOnce()
    process.exit(1)
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  process.on('disconnect', once)
  process.on('message', (message) => message === STOP && once())
}

/** The signal ends processes that do not serve yet. */
export function stopWorkers(): void {
  for (const worker of listWorkers()) {
    tell(worker, STOP)
    worker.process.kill('SIGTERM')
  }
}

export function killWorkers(): void {
  for (const worker of listWorkers()) worker.process.kill('SIGKILL')
}

export function tellSshEnded(): void {
  for (const worker of listWorkers()) tell(worker, SSH_ENDED)
}

/** In a process of a supervisor: resolves when sshd has ended with its last connection. */
export function whenSshEnded(): Promise<void> {
  return new Promise((resolve) => process.on('message', (message) => message === SSH_ENDED && resolve()))
}

export function listWorkers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
}

/** One that is gone needs no message. */
function tell(worker: Worker, message: string): void {
  if (worker.isConnected()) worker.process.send?.(message, () => undefined)
}
