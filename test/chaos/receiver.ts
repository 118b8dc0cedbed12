/**
 * The webhook receiver: mostly accepts, but sometimes refuses, hangs, answers garbage or breaks off. It records what it
 * received, and compares payloads received under one delivery id.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Dice } from './dice.ts'
import { breakOff } from './held.ts'
import type { Heard } from './news.ts'

type Manner = keyof typeof CARDS

/** moody: as the cards are drawn. kind: accepts everything. gone: breaks every connection. */
export type Mood = 'moody' | 'kind' | 'gone'

/** How many of each are in the deck before it is shuffled again. */
const CARDS = {
  thank: 14,
  refuse: 4,
  /** Answers something that is not HTTP. */
  babble: 2,
  /** Announces a longer body than it sends. */
  halve: 2,
  /** Answers correctly, and never ends the body. */
  flood: 1,
  /** Reads everything, and disconnects instead of answering. */
  forget: 2,
  /** Disconnects before it reads anything. */
  reset: 2,
  /** Never answers. */
  hang: 1,
} as const
const FLOOD = Buffer.alloc(64 * 1024, 'more and ')

interface Entry extends Heard {
  readonly path: string
  isThanked: boolean
}

export class Receiver implements AsyncDisposable {
  mood: Mood = 'moody'
  /** Requests by behaviour. */
  readonly met: Record<Manner, number> = { ...CARDS }
  /** Payloads received under a delivery id that had another payload before. */
  readonly faults: string[] = []
  /** Requests read to the end, and those among them that were repetitions. */
  readonly counts = { whole: 0, again: 0 }
  private readonly heard = new Map<string, Entry>()
  private readonly server: Server
  private readonly dice: Dice
  private deck: Manner[] = []

  private constructor(dice: Dice) {
    this.dice = dice
    for (const manner of MANNERS) this.met[manner] = 0
    this.server = createServer((asked, answer) => {
      // A sender that dies meanwhile has delivered nothing.
      this.serve(asked, answer).catch(() => asked.socket.destroy())
    })
  }

  static async open(dice: Dice): Promise<Receiver> {
    const receiver = new Receiver(dice)
    receiver.server.listen(0, '127.0.0.1')
    await once(receiver.server, 'listening')
    return receiver
  }

  urlOf(path: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${path}`
  }

  /** Each delivery once. */
  heardAt(path: string): Heard[] {
    return [...this.heard.values()].filter((entry) => entry.path === `/${path}`)
  }

  /** Number of distinct deliveries. */
  get told(): number {
    return this.heard.size
  }

  /** Behaviours that have not occurred yet. */
  get unmet(): Manner[] {
    return MANNERS.filter((manner) => this.met[manner] === 0)
  }

  private async serve(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const manner = this.pickManner()
    this.met[manner] += 1
    if (manner === 'reset') return breakOff(asked.socket)
    const entry = this.writeDown(asked, (await buffer(asked)).toString('utf8'))
    if (manner === 'thank') entry.isThanked = true
    ANSWERS[manner](asked, answer)
  }

  private pickManner(): Manner {
    if (this.mood === 'kind') return 'thank'
    if (this.mood === 'gone') return 'reset'
    if (this.deck.length === 0)
      this.deck = this.dice.shuffle(MANNERS.flatMap((manner) => Array<Manner>(CARDS[manner]).fill(manner)))
    return this.deck.pop() ?? 'thank'
  }

  private writeDown({ headers, url: path = '' }: IncomingMessage, body: string): Entry {
    const id = String(headers['x-gitea-delivery'])
    const event = String(headers['x-gitea-event'])
    const known = this.heard.get(id)
    this.counts.whole += 1
    if (known === undefined) {
      const entry = { id, event, body, path, isThanked: false }
      this.heard.set(id, entry)
      return entry
    }
    this.counts.again += 1
    if (known.event !== event || known.body !== body || known.path !== path)
      this.faults.push(
        `delivery ${id} was ${known.path} ${known.event} ${known.body} and became ${path} ${event} ${body}`,
      )
    return known
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.close()
    this.server.closeAllConnections()
    await once(this.server, 'close')
  }
}

const MANNERS = Object.keys(CARDS) as Manner[]

const ANSWERS: Record<Exclude<Manner, 'reset'>, (asked: IncomingMessage, answer: ServerResponse) => void> = {
  thank: (_, answer) => void answer.writeHead(200).end('thanks'),
  refuse: (_, answer) => void answer.writeHead(500).end('not now'),
  babble: ({ socket }) => void socket.end('I would rather talk about the weather.\r\n\r\n\0\0'),
  halve: ({ socket }) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nthan'),
  flood: (_, answer) => {
    const pour = () => {
      while (!answer.destroyed && answer.write(FLOOD));
    }
    answer
      .writeHead(200)
      .on('drain', pour)
      .on('error', () => undefined)
    pour()
  },
  forget: ({ socket }) => breakOff(socket),
  hang: () => undefined,
}
