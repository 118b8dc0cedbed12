/** Name, logo and robots.txt of a site. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startForge } from '#testing'

const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>'

test('pages show the name and the logo of the site', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bloomery-logo-'))
  try {
    await writeFile(join(folder, 'logo.svg'), LOGO)
    const config = { 'site.name': 'Smith & Sons', 'site.logo': join(folder, 'logo.svg') }
    await using forge = await startForge({ config })
    const page = await (await fetch(`${forge.base}/explore/repos`)).text()
    assert.match(page, / · Smith &amp; Sons<\/title>/)
    assert.match(
      page,
      /<img class="icon logo-mark" src="\/favicon\.ico" alt=""><span>Smith &amp; Sons<\/span>/,
    )
    const logo = await fetch(`${forge.base}/favicon.ico`)
    assert.equal(logo.headers.get('content-type'), 'image/svg+xml')
    assert.equal(await logo.text(), LOGO)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('robots.txt and favicon.ico are files, not accounts', async () => {
  await using forge = await startForge()
  const robots = await fetch(`${forge.base}/robots.txt`)
  assert.equal(robots.status, 200)
  assert.match(robots.headers.get('content-type') ?? '', /^text\/plain/)
  const text = await robots.text()
  assert.match(text, /^User-agent: \*$/m)
  for (const path of ['/api/', '/*/*/blame/', '/*/*/archive/', '/*?*'])
    assert.ok(text.split('\n').includes(`Disallow: ${path}`), path)
  const icon = await fetch(`${forge.base}/favicon.ico`)
  assert.deepEqual([icon.status, icon.headers.get('content-type')], [200, 'image/svg+xml'])
  assert.match(await (await fetch(`${forge.base}/explore/repos`)).text(), / · Bloomery<\/title>/)
})
