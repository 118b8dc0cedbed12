/**
 * Counts the commands and options of a push on their way to git. Both git and the node keep them in memory until the pack
 * has arrived, so their size is bounded; the pack has its own limit.
 */
import { finished, type Readable, Transform, type TransformCallback } from 'node:stream'
import { Problem } from '#platform/problem'
import { type Pkt, PktReader } from './pkt-line.ts'

/** Enough for a quarter of a million refs. */
const PUSH_COMMANDS_BYTES_MAX = 32 * 1024 * 1024
/** The magic of a pack. No pkt-line can begin with it, because its length is hexadecimal. */
const PACK = 'PACK'
/** Two ids and a ref name; other lines, such as `shallow`, are not commands. */
const COMMAND = /^[0-9a-f]+ [0-9a-f]+ /

/** Two ids of either object format. */
const COMMAND_HEAD_BYTES = 130

/** Magic, version and number of objects, four bytes each. */
const PACK_HEAD_BYTES = 12

export interface BoundedPush {
  readonly input: Readable
  /** Number of objects that the pack header claims; 0 before the pack begins. */
  objects(): number
  /** Number of refs in the push. Git refuses some itself and passes only the others to its hook. */
  commands(): number
  /** How much the client has sent so far. */
  bytes(): number
}

/** Git notices an input that ends early; after an input error it would wait for ever. */
export function boundCommands(input: Readable): BoundedPush {
  const commands = new BoundedCommands()
  // Also covers an input that failed before a listener was attached.
  finished(input, (error) => {
    if (error) commands.end()
  })
  return {
    input: input.pipe(commands),
    objects: () => commands.objects,
    commands: () => commands.commands,
    bytes: () => commands.received,
  }
}

/** Passes bytes through; with too many commands, or bytes that are no commands, it ends the stream and thereby git. */
class BoundedCommands extends Transform {
  private readonly reader = new PktReader()
  private state: 'counting' | 'passing' | 'cut' = 'counting'
  received = 0
  /** The pack may begin here: after the commands, or after the options that any command may announce. */
  private isAfterFlush = false
  private isInCommands = true
  objects = 0
  commands = 0

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.received += chunk.length
    if (this.state === 'counting') this.count(chunk)
    // The remaining input is drained, so that the client gets to read the answer.
    if (this.state === 'cut') done()
    else done(null, chunk)
  }

  private count(chunk: Buffer): void {
    try {
      this.reader.add(chunk)
      while (!(this.isAfterFlush && this.reader.isAt(PACK))) {
        const pkt = this.reader.next()
        if (pkt === undefined) {
          if (this.received > PUSH_COMMANDS_BYTES_MAX) this.cut()
          return
        }
        this.note(pkt)
      }
      const head = this.reader.peek(PACK_HEAD_BYTES)
      if (head === undefined) return
      this.objects = head.readUInt32BE(PACK_HEAD_BYTES - 4)
      this.state = 'passing'
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      this.cut()
    }
  }

  private note(pkt: Pkt): void {
    this.isAfterFlush = pkt.kind === 'flush'
    if (this.isAfterFlush) this.isInCommands = false
    else if (this.isInCommands && isCommand(pkt)) this.commands += 1
  }

  private cut(): void {
    this.state = 'cut'
    this.push(null)
  }
}

function isCommand(pkt: Pkt): boolean {
  return pkt.kind === 'line' && COMMAND.test(pkt.data.toString('latin1', 0, COMMAND_HEAD_BYTES))
}
