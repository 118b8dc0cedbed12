/**
 * The commands of a push, counted on their way to git. Git and we keep them in memory until the pack has come, so there
 * must not be any number of them; the pack itself has a limit of its own.
 */
import { finished, type Readable, Transform, type TransformCallback } from 'node:stream'
import { Problem } from '#platform/problem'
import { type Pkt, PktReader } from './pkt-line.ts'

/** Room for a quarter of a million refs. */
const PUSH_COMMANDS_BYTES_MAX = 32 * 1024 * 1024

/** Git notices an input that ends too early; it would wait for ever for one that broke. */
export function boundCommands(input: Readable): Readable {
  const commands = new BoundedCommands()
  // Even one that broke before anybody listened.
  finished(input, (error) => {
    if (error) commands.end()
  })
  return input.pipe(commands)
}

/** Hands on what it is given; where there are too many commands, or bytes that are none, it ends, and git with it. */
class BoundedCommands extends Transform {
  private readonly reader = new PktReader()
  private state: 'counting' | 'passing' | 'cut' = 'counting'
  private sections = 1
  private bytes = 0
  private hasCapabilities = false

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (this.state === 'counting') this.count(chunk)
    // What still comes is read and forgotten, so that the client gets round to hearing the answer.
    if (this.state === 'cut') done()
    else done(null, chunk)
  }

  private count(chunk: Buffer): void {
    this.bytes += chunk.length
    try {
      for (const pkt of this.reader.push(chunk)) {
        this.look(pkt)
        if (this.sections === 0) {
          this.state = 'passing'
          return
        }
      }
      if (this.bytes > PUSH_COMMANDS_BYTES_MAX) this.cut()
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      this.cut()
    }
  }

  private cut(): void {
    this.state = 'cut'
    this.push(null)
  }

  /** After the commands come options, where a command says so. */
  private look(pkt: Pkt): void {
    if (pkt.kind === 'flush') this.sections -= 1
    else if (!this.hasCapabilities && pkt.kind === 'line' && pkt.data.includes(0)) {
      this.hasCapabilities = true
      const [, capabilities = ''] = pkt.data.toString('latin1').split('\0')
      if (capabilities.split(/\s/).includes('push-options')) this.sections += 1
    }
  }
}
