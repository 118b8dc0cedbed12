/** Public information about the installation. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'

let forge: Forge
before(async () => {
  forge = await startForge()
})
after(() => forge[Symbol.asyncDispose]())

for (const path of [
  '/version',
  '/settings/api',
  '/settings/attachment',
  '/settings/repository',
  '/settings/ui',
  '/gitignore/templates',
  '/gitignore/templates/Go',
  '/licenses',
  '/licenses/MIT',
  '/label/templates',
  '/label/templates/Default',
])
  test(`an anonymous caller can get ${path}`, async () => {
    assert.equal((await forge.call(null, 'GET', path)).status, 200)
  })

for (const path of ['/gitignore/templates/None', '/licenses/None', '/label/templates/None'])
  test(`${path} is 404`, async () => {
    assert.equal((await forge.call(null, 'GET', path)).status, 404)
  })
