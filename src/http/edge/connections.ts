/** The open connections of a server, so that it stops without cutting off a request, and waits for no idle client. */
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

interface Connection {
  /** Requests in progress. */
  readonly answers: Set<ServerResponse>
  /** When it was opened, or its last answer was sent. */
  idleSince: number
}

/** The first or next request of a connection may be under way for so long. */
const IDLE_MS = 1_000
const PAUSE_MS = 20

export class Connections {
  private readonly open = new Map<Socket, Connection>()
  private isEnding = false

  constructor(server: Server) {
    server.on('connection', (socket) => {
      this.open.set(socket, { answers: new Set(), idleSince: performance.now() })
      socket.once('close', () => this.open.delete(socket))
    })
    // Before the listener that serves the request, which may answer at once.
    server.prependListener('request', ({ socket }, answer) => this.begin(socket, answer))
  }

  /** From now on every answer is the last one of its connection, so that clients open the next one elsewhere. */
  endKept(): void {
    this.isEnding = true
    for (const { answers } of this.open.values()) for (const answer of answers) announceEnd(answer)
  }

  /** For a server that accepts no more connections. Requests in progress have until `drainMs` have passed. */
  async close(drainMs: number): Promise<void> {
    const deadline = performance.now() + drainMs
    while (this.open.size > 0) {
      const now = performance.now()
      for (const [socket, { answers, idleSince }] of this.open)
        if (now >= deadline || (answers.size === 0 && now - idleSince >= IDLE_MS)) socket.destroy()
      await sleep(PAUSE_MS)
    }
  }

  private begin(socket: Socket, answer: ServerResponse): void {
    const connection = this.open.get(socket)
    if (connection === undefined) return
    connection.answers.add(answer)
    if (this.isEnding) announceEnd(answer)
    answer.once('close', () => {
      connection.answers.delete(answer)
      connection.idleSince = performance.now()
    })
  }
}

function announceEnd(answer: ServerResponse): void {
  if (!answer.headersSent) answer.setHeader('connection', 'close')
}
