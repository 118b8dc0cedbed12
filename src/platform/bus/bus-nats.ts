/** Sends and receives hints over NATS while it is connected. */
import {
  type ConnectionOptions,
  connect,
  type Msg,
  type MsgCallback,
  type NatsConnection,
  type Subscription,
} from '@nats-io/transport-node'
import { aside, type Logger } from '#platform/log'

export interface Link {
  /** Drops the hint when there is no connection: nothing is queued. */
  send(subject: string, payload: string): void
  watch(subject: string): void
  unwatch(subject: string): void
  isUp(): boolean
  close(): Promise<void>
}

export interface LinkOptions {
  /** `nats://` or `tls://`, with credentials if required; servers of one cluster are separated by commas. */
  readonly url: string
  readonly log: Logger
  readonly hear: (subject: string, payload: string) => void
}

interface LinkState {
  connection: NatsConnection | undefined
  isUp: boolean
  isClosed: boolean
  attempts: number
  hasErred: boolean
  waitMs: number
}

const SUBJECT_PREFIX = 'bloomery.'
const CONNECT_TIMEOUT_MS = 3_000
const RETRY_WAIT_MIN_MS = 250
const RETRY_WAIT_MAX_MS = 10_000
/** Two unanswered pings make a connection stale. */
const PING_INTERVAL_MS = 10_000

/** Connects once and disconnects, for `bloomery doctor`: returns the server, or throws the reason. */
export async function reachNats(url: string): Promise<string> {
  const options = { ...addressOptions(url), name: 'bloomery doctor', timeout: CONNECT_TIMEOUT_MS }
  const connection = await connect({ ...options, reconnect: false, maxReconnectAttempts: 0 })
  const server = connection.getServer()
  await connection.close()
  return server
}

/** Returns at once and connects in the background: an unavailable bus must not keep a node from starting. */
export function openNatsLink({ url, log, hear }: LinkOptions): Link {
  const watched = new Map<string, Subscription | undefined>()
  const state: LinkState = {
    connection: undefined,
    isUp: false,
    isClosed: false,
    attempts: 0,
    hasErred: false,
    waitMs: firstWaitMs(),
  }

  function watchOn(connection: NatsConnection, subject: string): void {
    const callback: MsgCallback<Msg> = (error, message) => {
      if (error === null) hear(subject, message.string())
    }
    watched.set(subject, connection.subscribe(SUBJECT_PREFIX + subject, { callback }))
  }

  connect({ ...addressOptions(url), ...retryOptions(url, state, log) }).then(
    async (connection) => {
      if (state.isClosed) return connection.close()
      state.connection = connection
      for (const subject of watched.keys()) watchOn(connection, subject)
      await keepTrack(connection, state, log)
    },
    (error: unknown) => {
      if (!state.isClosed) log.error({ err: error }, 'bus unavailable')
    },
  )

  return {
    send(subject, payload) {
      if (state.isUp) state.connection?.publish(SUBJECT_PREFIX + subject, payload)
    },
    watch(subject) {
      watched.set(subject, undefined)
      if (state.connection !== undefined) watchOn(state.connection, subject)
    },
    unwatch(subject) {
      watched.get(subject)?.unsubscribe()
      watched.delete(subject)
    },
    isUp: () => state.isUp,
    async close() {
      state.isClosed = true
      state.isUp = false
      await state.connection?.close()
    },
  }
}

function addressOptions(text: string): ConnectionOptions {
  const urls = text.split(',').map((one) => new URL(one.trim()))
  const { protocol, username, password } = urls[0] ?? new URL(text)
  const user = decodeURIComponent(username)
  const pass = decodeURIComponent(password)
  return {
    servers: urls.map((url) => url.host),
    ...(protocol === 'tls:' ? { tls: {} } : {}),
    // A user name alone is a token; with a password it is a user.
    ...(user === '' ? {} : pass === '' ? { token: user } : { user, pass }),
  }
}

function retryOptions(url: string, state: LinkState, log: Logger): ConnectionOptions {
  return {
    name: 'bloomery',
    // The bus notifies its local subscribers itself, also while the server is away.
    noEcho: true,
    timeout: CONNECT_TIMEOUT_MS,
    pingInterval: PING_INTERVAL_MS,
    waitOnFirstConnect: true,
    maxReconnectAttempts: -1,
    // A wrong password may become right with the next rotation.
    ignoreAuthErrorAbort: true,
    reconnectDelayHandler: () => state.waitMs,
    reconnectToServer() {
      // Throwing is the client's documented way to abort an attempt that would otherwise never end.
      if (state.isClosed) throw new Error('bus is closed')
      state.attempts += 1
      // Before the first connection there is no status to follow, so a failure shows as a second attempt.
      if (state.attempts === 2 && state.connection === undefined) aside(log, reportFailure(url, state, log))
      if (state.attempts > 1) state.waitMs = Math.min(state.waitMs * 2, RETRY_WAIT_MAX_MS)
      return null
    },
  }
}

/** Once for each start: the client goes on trying without a word. It does not say why it failed, so one more attempt does. */
async function reportFailure(url: string, state: LinkState, log: Logger): Promise<void> {
  const error = await reachNats(url).then(
    () => undefined,
    (error: unknown) => error,
  )
  if (error === undefined || state.isClosed) return
  const { servers } = addressOptions(url)
  log.warn(
    { err: error, 'bus.servers': servers },
    'NATS cannot be reached; start it, or correct bus.nats_url',
  )
}

/** Keeps `isUp` in step with the connection, so that nothing piles up in the client while the server is away. */
async function keepTrack(connection: NatsConnection, state: LinkState, log: Logger): Promise<void> {
  markUp(state)
  log.info({ 'bus.server': connection.getServer() }, 'bus connected')
  for await (const status of connection.status()) {
    if (status.type === 'disconnect') {
      state.isUp = false
      if (!state.isClosed) log.warn({ 'bus.server': status.server }, 'bus disconnected')
    } else if (status.type === 'reconnect') {
      markUp(state)
      log.info({ 'bus.server': status.server }, 'bus reconnected')
    } else if (status.type === 'error' && !state.hasErred) {
      // A refused password or subject fails again with each attempt and each hint.
      state.hasErred = true
      log.warn({ err: status.error }, 'bus error')
    }
  }
  state.isUp = false
}

function markUp(state: LinkState): void {
  state.isUp = !state.isClosed
  state.attempts = 0
  state.hasErred = false
  state.waitMs = firstWaitMs()
}

/** The waits double from here; a random start keeps nodes from reconnecting at the same moment. */
function firstWaitMs(): number {
  return RETRY_WAIT_MIN_MS * (1 + Math.random())
}
