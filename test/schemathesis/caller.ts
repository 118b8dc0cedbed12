/**
 * Random and hostile calls of every operation in our OpenAPI document, as an administrator, as a user and anonymous. No
 * answer may be an internal error, have an undocumented status, or violate its schema.
 *
 * EXAMPLES is the number of calls of each operation; without it a bounded run. COVERAGE=all tries the limits of every
 * parameter of every operation; without it those of the operations of the specification.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FAMILIES } from '../hostile/texts/texts.ts'
import { type TriedForge, tryForge } from '../try-forge.ts'

const PROGRAM = join(import.meta.dirname, '../../.tools/schemathesis/bin/schemathesis')
/** Hooks that put hostile texts into generated values. */
const HOOKS = join(import.meta.dirname, 'hostile_texts.py')
const EXAMPLES = process.env.EXAMPLES ?? '1'
const SEED = process.env.SEED ?? '1'
const COVERAGE = process.env.COVERAGE ?? 'specification'
const SPECIFICATION = join(import.meta.dirname, '../../docs/specification.md')
const CHECKS = 'not_a_server_error,status_code_conformance,response_schema_conformance'

/** A caller that deletes its own token or locks its own account sees only refusals from then on: these come last. */
const SELF_HARM = ['deleteCurrentToken', 'adminEditUser', 'adminRenameUser']

/** How many operations may refuse: a user is refused what only administrators may; an administrator hardly anything. */
const REFUSED_MAX = { nobody: 200, somebody: 60, 'an administrator': 10 }

/** Of about 500 operations that have strings, every second call has a hostile one. */
const HOSTILE_MIN = 100

const PHASES = ['examples', 'coverage', 'fuzzing']

export type Caller = keyof typeof REFUSED_MAX

/** A forge for one kind of caller. Each has its own test file, so that they run in parallel. */
export async function openForge(): Promise<TriedForge> {
  assert.ok(existsSync(PROGRAM), 'schemathesis is not installed: run tools/bootstrap.sh')
  return tryForge()
}

export async function holdFor(forge: TriedForge, caller: Caller): Promise<void> {
  const authorization = await authorize(forge, caller)
  const all = SELF_HARM.map((it) => ['--exclude-operation-id', it])
  const { code, output } = await schemathesis(forge, authorization, ['examples', 'fuzzing'], all)
  assert.equal(code, 0, output.slice(-6_000))
  // A run that was refused everywhere, or tested nothing, proves nothing.
  const refused = Number(/Authentication failed: (\d+) operations/.exec(output)?.[1] ?? 0)
  const tested = Number(/Tested: (\d+)/.exec(output)?.[1] ?? 0)
  const texts = Number(/^Hostile texts: (\d+)/m.exec(output)?.[1] ?? 0)
  assert.ok(texts > HOSTILE_MIN, `only ${texts} hostile texts were sent`)
  assert.ok(tested > 90, `only ${tested} operations were tested`)
  assert.ok(
    refused <= REFUSED_MAX[caller],
    `${refused} operations were only refused:\n${output.slice(-8_000)}`,
  )
  const choice = COVERAGE === 'all' ? all : await chooseSpecified(forge)
  const limits = await schemathesis(forge, authorization, ['coverage'], choice)
  assert.equal(limits.code, 0, limits.output.slice(-6_000))
}

/** The operations of the specification, by the first column of its page. */
async function chooseSpecified(forge: TriedForge): Promise<string[][]> {
  const page = await readFile(SPECIFICATION, 'utf8')
  const specified = new Set([...page.matchAll(/^\| `(\w+ \/[^`]*)`/gm)].map(([, operation]) => operation))
  const { paths } = (await (await fetch(`${forge.url}/openapi.json`)).json()) as Document
  const ids = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId }]) =>
      specified.has(`${method.toUpperCase()} ${path.replace('/api/v1', '')}`) ? [operationId] : [],
    ),
  )
  assert.equal(ids.length, specified.size, 'the document has every operation of the specification')
  assert.ok(ids.length > 40, `the specification has ${ids.length} operations`)
  return ids.filter((id) => !SELF_HARM.includes(id)).map((id) => ['--include-operation-id', id])
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>
}

/** Last of all: from here on the administrator may be locked out. */
export async function holdForSelfHarm(forge: TriedForge): Promise<void> {
  const authorization = await authorize(forge, 'an administrator')
  for (const operation of [...SELF_HARM].reverse()) {
    const { code, output } = await schemathesis(forge, authorization, PHASES, [
      ['--include-operation-id', operation],
    ])
    assert.equal(code, 0, output.slice(-6_000))
  }
}

async function schemathesis(
  forge: TriedForge,
  authorization: string | undefined,
  phases: readonly string[],
  choice: readonly string[][],
): Promise<{ code: number | null; output: string }> {
  const child = spawn(
    PROGRAM,
    [
      'run',
      `${forge.url}/openapi.json`,
      ...(authorization === undefined ? [] : ['-H', `Authorization: ${authorization}`]),
      // One worker: with two, the tool's own threads occasionally conflict.
      ...['--workers', '1', '-n', EXAMPLES, '--seed', SEED, '--phases', phases.join()],
      ...['--generation-allow-x00', 'true', '--checks', CHECKS, '--request-timeout', '60'],
      ...['--generation-database', 'none', '--no-color'],
      ...choice.flat(),
    ],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      // It leaves a folder in its working directory.
      cwd: tmpdir(),
      env: {
        ...process.env,
        SCHEMATHESIS_HOOKS: HOOKS,
        HOSTILE_TEXTS: JSON.stringify(FAMILIES.flat()),
        // Python would leave compiled files next to the hooks.
        PYTHONDONTWRITEBYTECODE: '1',
      },
    },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, output }
}

async function authorize(forge: TriedForge, caller: Caller): Promise<string | undefined> {
  if (caller === 'nobody') return undefined
  if (caller === 'an administrator') return `token ${await makeToken(forge, forge.admin, forge.password)}`
  const [username, password] = ['somebody', 'somebody1234']
  const body = { username, password, email: 'somebody@example.test', must_change_password: false }
  await post(forge, '/admin/users', forge.admin, forge.password, body)
  return `token ${await makeToken(forge, username, password)}`
}

async function makeToken(forge: TriedForge, name: string, password: string): Promise<string> {
  const answer = await post(forge, `/users/${name}/tokens`, name, password, {
    name: randomUUID(),
    scopes: ['all'],
  })
  return (answer as { sha1: string }).sha1
}

async function post(
  forge: TriedForge,
  path: string,
  name: string,
  password: string,
  body: object,
): Promise<unknown> {
  const answer = await fetch(`${forge.url}/api/v1${path}`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  })
  assert.equal(answer.status, 201)
  return answer.json()
}
