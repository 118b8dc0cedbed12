/** Repositories that exist on disk but not in the database. */
import type { Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  await t.person('unadopted-ann')
  await t.stage('unadopted-ann', 'POST', '/user/repos', { name: 'known' })
  await t.call('nobody may not list', null, 'GET', '/admin/unadopted')
  await t.call('a plain user may not list', 'unadopted-ann', 'GET', '/admin/unadopted')
  await t.call('none', 'admin', 'GET', '/admin/unadopted?pattern=unadopted-ann/*')
  await t.call('page', 'admin', 'GET', '/admin/unadopted?limit=2&page=2')
  await t.call('adopt: a plain user', 'unadopted-ann', 'POST', '/admin/unadopted/unadopted-ann/lost')
  await t.call('adopt: a missing one', 'admin', 'POST', '/admin/unadopted/unadopted-ann/lost')
  await t.call('adopt: of an unknown user', 'admin', 'POST', '/admin/unadopted/unadopted-none/lost')
  await t.call('adopt: one that is in the database', 'admin', 'POST', '/admin/unadopted/unadopted-ann/known')
  await t.call('delete: a plain user', 'unadopted-ann', 'DELETE', '/admin/unadopted/unadopted-ann/lost')
  await t.call('delete: a missing one', 'admin', 'DELETE', '/admin/unadopted/unadopted-ann/lost')
  await t.call(
    'delete: one that is in the database',
    'admin',
    'DELETE',
    '/admin/unadopted/unadopted-ann/known',
  )
  await t.call('it is still there', 'unadopted-ann', 'GET', '/repos/unadopted-ann/known')
}
