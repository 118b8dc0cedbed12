/** Forms of all pages declare the operations they call. */
import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { internalOperations, routes } from '#cli'
import { web } from './index.ts'

/** Effects that only concern the browser. */
const OWN = ['web:language', 'web:theme']

const changing = new Set<string>(
  [...routes, ...internalOperations].filter(({ method }) => method !== 'GET').map((it) => it.operationId),
)
const forms = web.pages.flatMap(({ path, forms }) =>
  Object.entries(forms).map(([name, { does }]) => ({ name: `${path} ${name}`, does })),
)

/** Opening these changes something. */
const opened = web.pages.map(({ changes }) => ({ does: changes }))

test('only pages that identity providers redirect to change something when they are opened', () => {
  assert.deepEqual(
    opened.flatMap(({ does }) => does),
    ['sourceFinish', 'sourceFinishSaml'],
  )
})

/** Acts that cannot be undone, or that give lasting power. */
const DANGEROUS = new Set<string>([
  ...['repoDelete', 'repoTransfer', 'orgDelete', 'adminDeleteUser', 'adminEndUserSessions'],
  ...['adminCreateAuthenticationSource', 'adminEditAuthenticationSource', 'adminDeleteAuthenticationSource'],
  ...['adminReplaceAuthenticationSourceMappings', 'adminConfirmAuthenticationSourceCheck'],
  ...[
    'userChangePassword',
    'userAddEmail',
    'userCreateToken',
    'repoCreateDeployToken',
    'userCurrentPostKey',
    'userLinkIdentity',
  ],
  ...['userPrepareTotp', 'userDropTotp', 'userMakeRecoveryCodes', 'userAddPasskey', 'userDropPasskey'],
])

test('forms that do a dangerous act ask for a recent proof', () => {
  const forms = web.pages.flatMap(({ path, forms }) =>
    Object.entries(forms).map(([name, form]) => ({ name: `${path} ${name}`, ...form })),
  )
  const found = forms.filter(({ does }) => does.some((it) => DANGEROUS.has(it)))
  assert.deepEqual(
    found.filter(({ isDangerous }) => !isDangerous).map(({ name }) => name),
    [],
  )
  const named = new Set<string>(found.flatMap(({ does }) => does))
  assert.deepEqual(
    [...DANGEROUS].filter((it) => !named.has(it)),
    [],
  )
})

test('every form declares operations that change something, or an effect on the browser only', () => {
  assert.deepEqual(
    forms.filter(({ does }) => does.length === 0),
    [],
  )
  const others = new Set(forms.flatMap(({ does }) => does).filter((it) => !changing.has(it)))
  assert.deepEqual([...others].sort(), OWN)
})

/** A form that calls an operation it does not declare is refused at run time: `http/serve/in-process-api.ts`. */
test('every changing operation that pages call is declared by a form', async () => {
  const asked = new Set<string>()
  for await (const file of glob('src/web/**/*.ts', { exclude: ['**/*.test.ts'] }))
    for (const [, id = ''] of (await readFile(file, 'utf8')).matchAll(/\bask\(\s*'(\w+)'/g)) asked.add(id)
  const asking = [...asked].filter((id) => changing.has(id))
  assert.ok(asking.length > 100, `only ${asking.length} are asked for`)
  const named = new Set<string>([...forms, ...opened].flatMap(({ does }) => does))
  assert.deepEqual(
    asking.filter((id) => !named.has(id)),
    [],
  )
})

test('page paths are unique', () => {
  const paths = web.pages.map(({ path }) => path.replaceAll(/[:*]\w+/g, ':'))
  assert.deepEqual(
    paths.filter((path, i) => paths.indexOf(path) !== i),
    [],
  )
})
