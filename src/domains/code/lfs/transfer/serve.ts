/**
 * `git-lfs-transfer`: objects and locks over one SSH session, for clients that cannot use HTTP. A session may last for
 * hours, so each command looks up the key, its account and their rights again, as a request over HTTP does.
 */
import type { Readable, Writable } from 'node:stream'
import type { DeployBearer } from '#domains/code/keys'
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
import { STATUS } from '#platform/rest'
import { type LfsPath, openToDownload, openToUpload, pathOf } from '../access/open-lfs.ts'
import type { Operation } from '../access/ssh-bearer.ts'
import { COMMANDS } from './commands.ts'
import { type Message, MessageReader, type Reply, sendCapabilities, sendReply } from './messages.ts'

export interface TransferSession {
  readonly path: LfsPath
  readonly operation: Operation
  readonly input: Readable
  readonly output: Writable
  readonly signal: AbortSignal
  /** Calls `act` for the key as it is now. With a name the operation is audited. */
  readonly enter: <T>(
    operationId: string | undefined,
    act: (ctx: Context, bearer: DeployBearer | null) => Promise<T>,
  ) => Promise<T>
}

/** What is left of an object that was refused is read up to this size, so that the client reads the answer. */
const DRAINED_BYTES_MAX = 64 * 1024 * 1024

export async function serveTransfer(session: TransferSession): Promise<void> {
  const path = pathOf(session.path)
  const { operation, input, output, signal, enter } = session
  // A client that may not do the operation learns so before it sends anything.
  await enter(undefined, (ctx, bearer) =>
    (operation === 'upload' ? openToUpload : openToDownload)(ctx, path, bearer),
  )
  await sendCapabilities(output, signal)
  const reader = new MessageReader(input)
  for (let message = await reader.next(); message !== undefined; message = await reader.next()) {
    if (message.command === 'quit') return sendReply(output, { status: 200 }, signal)
    const reply = await answer(session, path, message, reader)
    await sendReply(output, reply, signal)
  }
}

async function answer(
  { operation, enter }: TransferSession,
  path: LfsPath,
  message: Message,
  reader: MessageReader,
): Promise<Reply> {
  const counted = new CountedReader(reader)
  try {
    const command = Object.hasOwn(COMMANDS, message.command) ? COMMANDS[message.command] : undefined
    if (command === undefined || !command.operations.includes(operation))
      throw new Problem('method_not_allowed', 'command is not allowed in this session')
    return await enter(command.operationId, (ctx, bearer) =>
      command.run({ ctx, bearer, path, operation, message, reader: counted }),
    )
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (message.hasMore) await counted.drain()
    return { status: STATUS[error.kind], lines: [error.message.replace(/\p{Cc}/gu, '?')] }
  }
}

/** Knows whether the end of a message was read. */
class CountedReader {
  readonly #reader: MessageReader
  #isOver = false
  #reading: Promise<unknown> = Promise.resolve()

  constructor(reader: MessageReader) {
    this.#reader = reader
  }

  async lines(): Promise<string[]> {
    const lines = await this.#reader.lines()
    this.#isOver = true
    return lines
  }

  async *data(): AsyncGenerator<Buffer> {
    // Not delegated: the generator of the reader must outlive a consumer that stops early.
    const data = this.#reader.data()
    for (;;) {
      const reading = data.next()
      this.#reading = reading
      const { done, value } = await reading
      if (done) break
      yield value
    }
    this.#isOver = true
  }

  async drain(): Promise<void> {
    let bytes = 0
    // A consumer that stopped may have asked for one packet more.
    await this.#reading.catch(() => undefined)
    if (this.#isOver) return
    for await (const chunk of this.#reader.data()) {
      bytes += chunk.length
      if (bytes > DRAINED_BYTES_MAX) throw new Problem('too_large', 'object was refused')
    }
    this.#isOver = true
  }
}
