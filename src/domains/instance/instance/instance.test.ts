/** What the installation says about itself. */
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
  test(`anybody may ask for ${path}`, async () => {
    assert.equal((await forge.call(null, 'GET', path)).status, 200)
  })

for (const path of ['/gitignore/templates/None', '/licenses/None', '/label/templates/None'])
  test(`there is no ${path}`, async () => {
    assert.equal((await forge.call(null, 'GET', path)).status, 404)
  })
