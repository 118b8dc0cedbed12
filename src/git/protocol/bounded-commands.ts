/**
 * The commands of a push and its options, counted on their way to git. Git and we keep them in memory until the pack
 * has come, so there must not be any number of them; the pack itself has a limit of its own.
 */
import { finished, type Readable, Transform, type TransformCallback } from 'node:stream'
import { Problem } from '#platform/problem'
import { type Pkt, PktReader } from './pkt-line.ts'

/** Room for a quarter of a million refs. */
const PUSH_COMMANDS_BYTES_MAX = 32 * 1024 * 1024
/** How a pack begins. No pkt-line begins so: its length would have to be written in these letters. */
const PACK = 'PACK'
/** Two ids and a name; lines of another kind say what the client's history lacks. */
const COMMAND = /^[0-9a-f]+ [0-9a-f]+ /

/** Two ids of either length. */
const COMMAND_HEAD_BYTES = 130

/** Then follow its version and the number of its objects, in four bytes each. */
const PACK_HEAD_BYTES = 12

export interface BoundedPush {
  readonly input: Readable
  /** How many objects its pack is said to have; 0 while none has begun. */
  objects(): number
  /** How many refs it is to move. Git refuses some by itself, and tells its hook of the others only. */
  commands(): number
}

/** Git notices an input that ends too early; it would wait for ever for one that broke. */
export function boundCommands(input: Readable): BoundedPush {
  const commands = new BoundedCommands()
  // Even one that broke before anybody listened.
  finished(input, (error) => {
    if (error) commands.end()
  })
  return {
    input: input.pipe(commands),
    objects: () => commands.objects,
    commands: () => commands.commands,
  }
}

/** Hands on what it is given; where there are too many commands, or bytes that are none, it ends, and git with it. */
class BoundedCommands extends Transform {
  private readonly reader = new PktReader()
  private state: 'counting' | 'passing' | 'cut' = 'counting'
  private bytes = 0
  /** Where the pack may begin: after the commands, or after the options, which any of the commands may announce. */
  private isAfterFlush = false
  private isInCommands = true
  objects = 0
  commands = 0

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (this.state === 'counting') this.count(chunk)
    // What still comes is read and forgotten, so that the client gets round to hearing the answer.
    if (this.state === 'cut') done()
    else done(null, chunk)
  }

  private count(chunk: Buffer): void {
    this.bytes += chunk.length
    try {
      this.reader.add(chunk)
      while (!(this.isAfterFlush && this.reader.isAt(PACK))) {
        const pkt = this.reader.next()
        if (pkt === undefined) {
          if (this.bytes > PUSH_COMMANDS_BYTES_MAX) this.cut()
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
