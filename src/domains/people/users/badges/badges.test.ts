/** Badges over REST, on a real database. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startForge } from '#testing'
import { createBadge } from './badges.ts'

test('an administrator gives and removes badges; a request with an unknown badge gives none', async () => {
  await using forge = await startForge()
  await forge.person('root', { is_admin: true })
  await forge.person('ann')
  const root = '/admin/users/ann/badges'
  const smith = { slug: 'smith', description: 'forged a thing', image_url: '' }
  await createBadge(forge.ctx, smith)
  await assert.rejects(createBadge(forge.ctx, smith), /badge already exists/)

  assert.equal((await forge.call('ann', 'POST', root, { badge_slugs: ['smith'] })).status, 403)
  assert.equal((await forge.call('root', 'POST', root, { badge_slugs: ['smith', 'king'] })).status, 422)
  assert.deepEqual((await forge.call('root', 'GET', root)).body, [])
  for (const _ of ['given', 'given again'])
    assert.equal((await forge.call('root', 'POST', root, { badge_slugs: ['smith'] })).status, 204)
  const listed = await forge.call('root', 'GET', root)
  assert.equal(listed.headers.get('x-total-count'), '1')
  assert.deepEqual(
    listed.body.map(({ id: _, ...badge }: { id: number }) => badge),
    [smith],
  )
  for (const _ of ['taken', 'taken again'])
    assert.equal((await forge.call('root', 'DELETE', root, { badge_slugs: ['smith', 'king'] })).status, 204)
  assert.deepEqual((await forge.call('root', 'GET', root)).body, [])
})
