/**
 * Parsers of untrusted text: those whose time or memory can explode are loaded by threads only, and every other one on the
 * main thread is listed here with the bound of its input.
 */
import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import manifest from '../package.json' with { type: 'json' }

/** YAML, Markdown, expressions and XML: nesting, aliases and long runs of characters make them slow. */
const FOR_THREADS = /^(?:yaml|unified|remark-.*|rehype-.*|@actions\/.*|@node-saml\/.*)$/

/** Parsers allowed on the main thread: the call, the files, and the bound of each. */
const ON_MAIN: Readonly<Record<string, { readonly call: RegExp; readonly bounds: Record<string, string> }>> =
  {
    JSON: {
      call: /\bJSON\.parse\(/,
      bounds: {
        'src/cli/archive/manifest.ts': 'a backup of the operator',
        'src/cli/command-log.ts': 'written by the forge',
        'src/domains/actions/artifacts/protocol/bodies.ts': 'http.body_bytes_max: 1 MB',
        'src/domains/actions/artifacts/protocol/signed.ts': 'sealed by the forge',
        'src/domains/code/lfs/access/ssh-bearer.ts': 'sealed by the forge',
        'src/domains/code/lfs/objects/direct.ts': 'sealed by the forge',
        'src/domains/code/lfs/wire.ts': 'http.body_bytes_max: 1 MB',
        'src/domains/code/contents/files/routes.ts': 'a query, at most 16 KB',
        'src/domains/remotes/imports/records/store.ts': 'written by the forge, from a page of a source',
        'src/domains/remotes/imports/releases/kept-files.ts': 'written by the forge, from a page of a source',
        'src/domains/remotes/imports/sources/source.ts': 'sealed by the forge',
        'src/domains/packages/packages/types/container/token.ts': 'sealed by the forge',
        'src/domains/actions/runners/protocol/service.ts': 'written by the forge',
        'src/domains/actions/runs/logs/hide-secrets.ts':
          'sealed by the forge: a list of at most 4 MB of texts',
        'src/domains/actions/runs/tasks/runtime-token.ts': 'a header, at most 16 KB',
        'src/domains/sign-in/scim/filter/parse.ts': 'one text of a filter: 4,000 characters',
        'src/domains/sign-in/sources/records/from-json.ts': 'a file of the operator, 64 KB',
        'src/domains/sign-in/oauth2/tokens/form.ts': 'BODY_BYTES_MAX: 16 KB',
        'src/domains/sign-in/sessions/factors/passkeys.ts': 'RESPONSE_MAX',
        'src/domains/instance/templates/licenses.ts': 'a file of the forge',
        'src/domains/actions/triggers/start/start-ordered.ts': 'written by the forge itself, 256 KB at most',
        'src/domains/people/users/sign-in/totp.ts': 'sealed by the forge',
        'src/domains/code/webhooks/chat/message.ts': 'written by the forge, in a job',
        'src/domains/code/webhooks/deliveries/build-payload.ts': 'written by the forge, in a job',
        'src/http/serve/dry-run.ts': 'written by the forge',
        'src/move-in/source/fields.ts': 'a row of the database that the operator moves in, in a command',
        'src/platform/bus/bus.ts': 'written by the forge',
        'src/platform/json.ts': 'counts values before it parses; callers bound the bytes',
        'src/platform/outbound/read-json.ts': 'a schema of the forge',
        'src/platform/runtime/version.ts': 'a file of the forge',
        'src/web/parts/audit.ts': 'written by the forge: path parameters, cut to VALUE_MAX each',
        'src/web/parts/conversation/events.ts': 'written by the forge',
        'src/web/scoped/hooks.ts': 'what a delivery keeps of a payload',
      },
    },
    'JSON with few values': {
      call: /\bparseJson\((?!bytes: )/,
      bounds: {
        'src/domains/packages/packages/types/container/manifest.ts': '4 MB, 100,000 values',
        'src/domains/remotes/exports/read-export.ts': 'a manifest in a command: 4 MB, 200,000 values',
        'src/domains/remotes/exports/read-lines.ts': 'a line in a command: 64 MB, 1,000,000 values, depth 32',
        'src/domains/packages/packages/types/npm/publication.ts': '32 MB, 500,000 values',
        'src/domains/sign-in/scim/protocol/requests.ts': '1 MB, 50,000 values',
        'src/http/input/read-body.ts': 'http.content_bytes_max: 32 MB, 500,000 values',
      },
    },
    TOML: {
      call: /\{ parse \} from 'smol-toml'/,
      bounds: { 'src/platform/config/index.ts': 'the configuration of the operator' },
    },
    forms: {
      call: /new Busboy\(/,
      bounds: {
        'src/domains/packages/packages/types/pypi/read-form.ts': 'a stream: piece by piece',
        'src/http/input/read-form.ts': 'http.content_bytes_max: 32 MB, a megabyte at once',
        'src/http/input/read-upload.ts': 'a stream: piece by piece',
      },
    },
    'source code': {
      call: /\bcodeToTokens\(/,
      bounds: {
        'src/web/highlight/tokens.ts': 'a thread, and the lines of a diff: 20,000, at most 2 MB of a file',
      },
    },
    'regular expressions of people': {
      call: /\bRE2JS\.compile\(/,
      bounds: {
        'src/domains/code/protections/rules/expression.ts':
          'a rule of 255 or 500 characters, INSTRUCTIONS_MAX: 2,000',
      },
    },
    'regular expressions that are put together': {
      call: /new RegExp\(/,
      bounds: {
        'src/domains/code/keys/ssh/ssh-signature.ts': 'of constants',
        'src/domains/instance/markup/words/find-words.ts': 'of constants',
        'src/ssh/git-command.ts': 'of constants',
        'src/http/serve/curl.ts': 'of a random number of the forge',
        'src/web/diff/render.ts': 'of constants',
      },
    },
    'compressed bytes': {
      call: /\b(?:createGunzip|gunzip|createInflate|inflate|createUnzip|unzip|brotliDecompress)\b\)?\(/,
      bounds: {
        'src/domains/actions/artifacts/record/read.ts': 'a stream to its reader',
        'src/domains/actions/runners/protocol/connect.ts': 'RUNNER_BYTES_MAX: 16 MB, in the pool of threads',
        'src/domains/remotes/transport/smart-git.ts': 'a stream to git',
      },
    },
  }

const IMPORT = /(?:^|\n)(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)/g
const sources = new Map<string, string>()
for await (const path of glob('src/**/*.ts'))
  if (!path.endsWith('.test.ts')) sources.set(path, code(await readFile(path, 'utf8')))
const main = reachedFrom('src/main.ts')

test('the main thread loads no parser that only threads may call', () => {
  assert.ok(main.size > 500, `only ${main.size} files are reached`)
  const loading = [...main].filter((path) => importsOf(path).some((name) => FOR_THREADS.test(name)))
  assert.deepEqual(loading, [])
})

test('the threads load the restricted parsers', () => {
  const threads = [...sources.keys()].filter(
    (path) => sources.get(path)?.includes('answerOrders(') && !main.has(path),
  )
  assert.ok(threads.length >= 5, String(threads))
  const loaded = new Set(threads.flatMap((path) => [...reachedFrom(path)]).flatMap(importsOf))
  for (const name of ['yaml', 'unified', '@actions/expressions', '@node-saml/node-saml'])
    assert.ok(loaded.has(name), name)
})

for (const [what, { call, bounds }] of Object.entries(ON_MAIN))
  test(`every use of ${what} on the main thread has its bound listed`, () => {
    const found = [...main].filter((path) => call.test(sources.get(path) ?? ''))
    assert.deepEqual(found.sort(), Object.keys(bounds).sort())
  })

/** The files that loading `start` loads. */
function reachedFrom(start: string): Set<string> {
  const reached = new Set<string>()
  const open = [start]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (reached.has(path) || !sources.has(path)) continue
    reached.add(path)
    open.push(...importsOf(path).map((name) => fileOf(path, name)))
  }
  return reached
}

function importsOf(path: string): string[] {
  return [...(sources.get(path) ?? '').matchAll(IMPORT)].map(([, name, later]) => name ?? later ?? '')
}

function fileOf(from: string, name: string): string {
  if (name.startsWith('.')) return join(dirname(from), name)
  const doors = manifest.imports as Record<string, string>
  const [start = ''] = name.split('/')
  const door = doors[name] ?? doors[`${start}/*`]?.replace('*', name.slice(start.length + 1))
  return door === undefined ? name : join(door)
}

function code(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '')
}
