/**
 * Records the statements that a forge prepares while it serves, for counting over all tests (`tools/check.ts`, which
 * provides the folder). Preparing pays off when there are few of them, used often.
 */
import { appendFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { isWorthPreparing } from '#platform/db'

const FOLDER = process.env.TEST_STATEMENTS

export class Statements {
  private readonly texts = new Set<string>()
  private requests = 0

  /** Statements of tests outside of requests are not counted. */
  watch(server: Server): void {
    server.on('request', (_request, response) => {
      this.requests += 1
      response.once('close', () => {
        this.requests -= 1
      })
    })
  }

  note(text: string): void {
    if (FOLDER !== undefined && this.requests > 0 && isWorthPreparing(text)) this.texts.add(text)
  }

  async write(): Promise<void> {
    if (FOLDER === undefined || this.texts.size === 0) return
    const lines = [...this.texts].map((text) => `${JSON.stringify(text)}\n`)
    await appendFile(join(FOLDER, `${process.pid}.jsonl`), lines.join(''))
  }
}
