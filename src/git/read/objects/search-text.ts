/** Finds a text in the files of a commit. */
import type { Context } from '#platform/context'
import { GitFailure, startGit } from '../../command/run.ts'
import type { StorageId } from '../../tables.ts'
import { cached } from '../cached.ts'
import { SAFE_ENV, withRepository } from '../with-repository.ts'
import { assertOids } from './oid.ts'

export interface FoundLine {
  readonly path: string
  /** Counted from 1. */
  readonly line: number
  readonly text: string
}

export interface FoundText {
  readonly lines: readonly FoundLine[]
  /** The search ended early: there are more lines. */
  readonly isTruncated: boolean
}

const TIMEOUT_MS = 15_000
const OUTPUT_BYTES_MAX = 1024 * 1024
const LINES_MAX = 500
/** Of each file, so that one file does not fill the list. */
const LINES_OF_FILE = '--max-count=5'
/** A shown line is cut here: generated files have lines of megabytes. */
const LINE_LENGTH_MAX = 300
const FLAGS = [
  '--fixed-strings',
  '--ignore-case',
  '--line-number',
  '--null',
  '--no-color',
  '--threads=1',
  '-I',
  LINES_OF_FILE,
  '-f-',
] as const
/** No line matches. */
const NOTHING = 1

/** A text of one line, in any case, in files that are no binaries. */
export function searchText(
  ctx: Context,
  storageId: StorageId,
  commit: string,
  text: string,
): Promise<FoundText> {
  assertOids(commit)
  return cached(ctx, storageId, 'search', [commit, text], () =>
    withRepository(ctx, storageId, async (path) => {
      // The text comes through standard input, so git cannot mistake it for a flag.
      const command = { name: 'grep', flags: FLAGS, ids: [commit] }
      const running = startGit(ctx, command, {
        path,
        input: text,
        environment: SAFE_ENV,
        timeoutMs: TIMEOUT_MS,
      })
      const chunks: Buffer[] = []
      let bytes = 0
      for await (const chunk of running.output as AsyncIterable<Buffer>) {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes > OUTPUT_BYTES_MAX) break
      }
      const isCut = bytes > OUTPUT_BYTES_MAX
      if (isCut) running.kill()
      else await running.done.catch(passOverNothing)
      const lines = parse(Buffer.concat(chunks).toString('utf8'))
      return { lines: lines.slice(0, LINES_MAX), isTruncated: isCut || lines.length > LINES_MAX }
    }),
  )
}

function passOverNothing(error: unknown): void {
  if (!(error instanceof GitFailure) || error.code !== NOTHING) throw error
}

/** `commit:path NUL line NUL text`; a path may contain line feeds. */
const LINE = /^[0-9a-f]{40,64}:([^\0]*)\0(\d+)\0(.*)$/gm

function parse(output: string): FoundLine[] {
  return [...output.matchAll(LINE)].map(([, path = '', line, text = '']) => ({
    path,
    line: Number(line),
    text: text.slice(0, LINE_LENGTH_MAX),
  }))
}
