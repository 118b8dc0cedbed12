/** Runs the commands of a page of documentation: all its `sh` blocks, in order, in one shell. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Block {
  readonly commands: string
  /** The rest of the line that opens the block: empty, or `not-run:` and the reason. */
  readonly info: string
  /** Undefined for commands that prepare others. */
  readonly operation: string | undefined
  readonly status: number | undefined
}

export interface Asked {
  readonly method: string
  readonly path: string
  readonly status: number
}

export interface PlayedBlock extends Block {
  readonly asked: readonly Asked[]
  readonly said: string
}

/** The forge of `node src/main.ts try`, which pages name; the forge of the test replaces it. */
const HOST = '127.0.0.1:3000'
/** Longer than all commands of a page take on a busy machine, including their waits for jobs. */
const RUN_MS_MAX = 120_000
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024
/** Records every request of the page's commands; `--max-time` ends a request that is never answered. */
const CURL = `curl() { command curl --max-time 60 -w '%{stderr}\\n%{method} %{url_effective} %{http_code}\\n' "$@" 2>>"$LOG"; }`
const BLOCK = /(?:^`([A-Z]+ \/\S*)` .*\. It answers (\d{3})\.\n\n)?^```sh(?: (.*))?\n([\s\S]*?)^```$/gm
const NOT_RUN = /^not-run: /

export function blocksOf(page: string): Block[] {
  return [...page.matchAll(BLOCK)].map(([, operation, status, info = '', commands = '']) => ({
    commands,
    info,
    operation,
    status: status === undefined ? undefined : Number(status),
  }))
}

/** Why a block is not run; undefined for a block that is. */
export function reasonOf({ info }: Block): string | undefined {
  return NOT_RUN.test(info) ? info.replace(NOT_RUN, '').trim() : undefined
}

/** The requests of each block, the output of its commands, and why the shell failed. */
export async function play(
  blocks: readonly Block[],
  url: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ played: readonly PlayedBlock[]; failed: string | undefined }> {
  const folder = await mkdtemp(join(tmpdir(), 'bloomery-page-'))
  try {
    const script = blocks.map(
      ({ commands }, i) => `LOG="$OUT/asked-${i}"; : > "$LOG"; exec > "$OUT/said-${i}"\n${commands}`,
    )
    const text = ['set -eo pipefail', CURL, ...script].join('\n').replaceAll(HOST, new URL(url).host)
    const cwd = join(folder, 'work')
    await mkdir(cwd)
    // Pages that create a folder with mktemp create it here.
    const options = { cwd, env: { ...env, OUT: folder, TMPDIR: folder }, timeout: RUN_MS_MAX }
    const failed = await new Promise<string | undefined>((resolve) => {
      execFile('bash', ['-c', text], { ...options, maxBuffer: OUTPUT_BYTES_MAX }, (error, _, said) =>
        resolve(error === null ? undefined : `bash: ${error.signal ?? error.code} ${said}`),
      )
    })
    const read = (name: string) => readFile(join(folder, name), 'utf8').catch(() => '')
    const played = await Promise.all(
      blocks.map(async (block, i) => ({
        ...block,
        asked: (await read(`asked-${i}`)).split('\n').filter(isRequest).map(askedOf),
        said: await read(`said-${i}`),
      })),
    )
    return { played, failed }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Curl without `-s` also writes its progress. */
function isRequest(line: string): boolean {
  return /^[A-Z]+ https?:/.test(line)
}

function askedOf(line: string): Asked {
  const [method = '', url = '', status] = line.split(' ')
  return { method, path: new URL(url).pathname, status: Number(status) }
}

/** The commands of a block, its requests and its output, for the message of a failure. */
export function describe({ commands, asked, said }: PlayedBlock): string {
  const all = asked.map((it) => `${it.method} ${it.path} ${it.status}`).join('\n')
  return `${commands}${all}\n${said}`
}

export function isSuccess({ status }: Asked): boolean {
  return status >= 200 && status < 300
}
