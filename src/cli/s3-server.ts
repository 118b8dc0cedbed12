/** A real S3 server on loopback: versitygw over a folder, with one bucket. */

import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { access, constants, mkdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import type { ObjectStoreOptions } from '#platform/object-store'
import { OperatorError } from '#platform/operator-error'
import { findFreePorts } from './free-ports.ts'

export interface S3ServerOptions {
  /** The versitygw program; by default the one that tools/bootstrap.sh puts into .tools. */
  readonly binary?: string
  /** Where objects are stored. Created if missing; it stays when the server stops. */
  readonly folder: string
  /** A port on loopback; by default a free one. */
  readonly port?: number
}

export interface S3Server {
  /** Options of openObjectStore for this server. */
  readonly store: Extract<ObjectStoreOptions, { driver: 's3' }>
  stop(): Promise<void>
}

const BINARY = fileURLToPath(new URL('../../.tools/bin/versitygw', import.meta.url))
const BUCKET = 'bloomery'
const READY_MS_MAX = 60_000
const READY_POLL_MS = 50
const STOP_MS_MAX = 10_000
/** Another process may take the free port before this one listens on it. */
const STARTS_MAX = 3

export async function startS3Server(options: S3ServerOptions): Promise<S3Server> {
  const binary = options.binary ?? BINARY
  await access(binary, constants.X_OK).catch(() => {
    throw new OperatorError(`versitygw not found at ${binary}; run tools/bootstrap.sh`)
  })
  await mkdir(options.folder, { recursive: true })
  if (options.port !== undefined) return start(binary, options.folder, options.port)
  for (let starts = 1; ; starts += 1) {
    try {
      return await start(binary, options.folder, await findFreePorts())
    } catch (error) {
      if (starts === STARTS_MAX) throw error
    }
  }
}

async function start(binary: string, folder: string, port: number): Promise<S3Server> {
  const store = {
    driver: 's3' as const,
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    bucket: BUCKET,
    accessKeyId: 'bloomery',
    secretAccessKey: randomBytes(16).toString('hex'),
    requestTimeoutMs: 30_000,
    connectTimeoutMs: 10_000,
  }
  // The secret is in the environment, because arguments are visible to every user of the machine.
  const child = spawn(binary, ['--keep-alive', '-q', '-p', `127.0.0.1:${port}`, 'posix', folder], {
    env: { ROOT_ACCESS_KEY: store.accessKeyId, ROOT_SECRET_KEY: store.secretAccessKey },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const said: string[] = []
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.push(text)
    if (said.length > 20) said.shift()
  })
  child.on('error', (error) => said.push(error.message))
  const killChild = () => child.kill('SIGKILL')
  process.once('exit', killChild)
  const stop = async () => {
    await stopChild(child)
    process.off('exit', killChild)
  }
  try {
    await makeBucket(store, child)
  } catch (error) {
    await stop()
    throw new OperatorError(`versitygw failed to start: ${said.join('').trim()}`, { cause: error })
  }
  return { store, stop }
}

/** Retries until the server answers, so that an existing bucket also means a ready server. */
async function makeBucket(store: S3Server['store'], child: ChildProcess): Promise<void> {
  const client = new S3Client({
    endpoint: store.endpoint,
    region: store.region,
    credentials: { accessKeyId: store.accessKeyId, secretAccessKey: store.secretAccessKey },
    forcePathStyle: true,
    maxAttempts: 1,
    requestHandler: { requestTimeout: 5_000, throwOnRequestTimeout: true },
  })
  const deadline = performance.now() + READY_MS_MAX
  try {
    for (;;) {
      const failure = await client.send(new CreateBucketCommand({ Bucket: store.bucket })).then(
        () => undefined,
        (error: Error) => error,
      )
      // The bucket exists already in the folder of an earlier server.
      if (failure === undefined || failure.name === 'BucketAlreadyOwnedByYou') return
      if (hasEnded(child) || performance.now() > deadline) throw failure
      await sleep(READY_POLL_MS)
    }
  } finally {
    client.destroy()
  }
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX)
  await ended
  clearTimeout(timer)
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null
}
