/** The page of examples: its commands run in order on a fresh forge, each with the status that the page states. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { OWN_PROOFS } from '../../tools/specification-proofs.ts'
import { tryForge } from '../try-forge.ts'

interface Block {
  readonly commands: string
  /** Undefined for commands that prepare others. */
  readonly operation: string | undefined
  readonly status: number | undefined
}

interface Asked {
  readonly method: string
  readonly path: string
  readonly status: number
}

const PAGE = new URL('../../docs/examples.md', import.meta.url)
const FORGE = 'FORGE=http://127.0.0.1:3000\n'
/** Longer than all commands take on a busy machine, including their waits for jobs. */
const RUN_MS_MAX = 120_000
/** Records every request of the page's commands; `--max-time` ends a request that is never answered. */
const CURL = `curl() { command curl --max-time 60 -w '%{stderr}%{method} %{url_effective} %{http_code}\\n' "$@" 2>>"$LOG"; }`

function blocksOf(page: string): Block[] {
  const found = page.matchAll(/(?:^`([A-Z]+ \/\S*)` .*\. It answers (\d{3})\.\n\n)?^```sh\n([^`]*)^```$/gm)
  return [...found].map(([, operation, status, commands = '']) => ({
    commands,
    operation,
    status: status === undefined ? undefined : Number(status),
  }))
}

/** The requests of each block, and the output of its commands. */
async function play(blocks: readonly Block[], url: string) {
  const folder = await mkdtemp(join(tmpdir(), 'bloomery-examples-'))
  try {
    const script = blocks.map(
      ({ commands }, i) => `LOG="$OUT/asked-${i}"; : > "$LOG"; exec > "$OUT/said-${i}"\n${commands}`,
    )
    const text = ['set -eo pipefail', CURL, ...script].join('\n').replace(FORGE, `FORGE=${url}\n`)
    // The page creates its folder with mktemp, which is deleted with this one.
    const env = { ...process.env, OUT: folder, TMPDIR: folder }
    const failed = await new Promise<string | undefined>((resolve) => {
      execFile('bash', ['-c', text], { env, timeout: RUN_MS_MAX }, (error, _, said) =>
        resolve(error === null ? undefined : `bash: ${error.signal ?? error.code} ${said}`),
      )
    })
    const read = (name: string) => readFile(join(folder, name), 'utf8').catch(() => '')
    const played = await Promise.all(
      blocks.map(async (block, i) => ({
        ...block,
        asked: (await read(`asked-${i}`)).split('\n').filter(Boolean).map(askedOf),
        said: await read(`said-${i}`),
      })),
    )
    return { played, failed }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function askedOf(line: string): Asked {
  const [method = '', url = '', status] = line.split(' ')
  return { method, path: new URL(url).pathname, status: Number(status) }
}

function patternOf(operation: string): RegExp {
  return new RegExp(`^${operation.replace(' /', ' /api/v1/').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

/** An empty list is no example; some lists are in a field of an object. */
function showsSomething(answer: object): boolean {
  const list = [answer, ...Object.values(answer)].find(Array.isArray)
  return list === undefined || list.length > 0
}

const page = await readFile(PAGE, 'utf8')
const blocks = blocksOf(page)

test('the page has one example for every operation of the specification', () => {
  assert.equal(blocks.length, page.match(/^```sh$/gm)?.length)
  const shown = blocks.flatMap(({ operation }) => operation ?? [])
  assert.deepEqual(shown.toSorted(), Object.keys(OWN_PROOFS).toSorted())
  assert.ok(page.includes(FORGE))
})

test('every command of the page returns the status that the page states', { timeout: 600_000 }, async () => {
  await using forge = await tryForge(['--ssh-port', '0'])
  assert.deepEqual([forge.admin, forge.password], ['admin', 'admin1234'])
  const { played, failed } = await play(blocks, forge.url)
  for (const { operation, status, commands, asked, said } of played) {
    const all = asked.map((it) => `${it.method} ${it.path} ${it.status}`).join('\n')
    const told = `${commands}${all}\n${said}`
    if (operation === undefined) {
      assert.ok(
        asked.every((it) => it.status >= 200 && it.status < 300),
        told,
      )
      continue
    }
    assert.equal(asked.length, 1, `${told}\n${failed}`)
    assert.match(`${asked[0]?.method} ${asked[0]?.path}`, patternOf(operation))
    assert.equal(asked[0]?.status, status, told)
    if (operation.startsWith('GET ')) assert.ok(showsSomething(JSON.parse(said)), told)
  }
  assert.equal(failed, undefined)
})
