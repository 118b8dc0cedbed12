/** Avatars of users and organizations. */
import type { Stage } from '../stage.ts'

/** A single pixel, as PNG. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export async function play(t: Stage): Promise<void> {
  await t.person('avatars-ann')
  await t.person('avatars-eve')
  await t.stage('avatars-ann', 'POST', '/orgs', { username: 'avatars-org' })
  await t.stage('avatars-ann', 'POST', '/user/repos', { name: 'anvil' })
  // The reference checks the role before it checks authentication.
  const unknown = (kind: string) => (kind === 'repo' ? { decision: 'specification', status: 401 } : {})
  for (const [kind, path] of [
    ['user', '/user/avatar'],
    ['org', '/orgs/avatars-org/avatar'],
    ['repo', '/repos/avatars-ann/anvil/avatar'],
  ] as const) {
    await t.call(`${kind}: nobody`, null, 'POST', path, { body: { image: PNG } }, unknown(kind))
    if (kind !== 'user')
      await t.call(`${kind}: a stranger`, 'avatars-eve', 'POST', path, { body: { image: PNG } })
    await t.call(`${kind}: a picture`, 'avatars-ann', 'POST', path, { body: { image: PNG } })
    await t.call(`${kind}: no base64`, 'avatars-ann', 'POST', path, { body: { image: '%%%' } })
    await t.call(
      `${kind}: no picture`,
      'avatars-ann',
      'POST',
      path,
      { body: { image: Buffer.from('text').toString('base64') } },
      { decision: 'D13', status: 422 },
    )
    await t.call(`${kind}: an empty picture`, 'avatars-ann', 'POST', path, { body: { image: '' } })
    await t.call(`${kind}: nobody deletes`, null, 'DELETE', path, {}, unknown(kind))
    if (kind !== 'user') await t.call(`${kind}: a stranger deletes`, 'avatars-eve', 'DELETE', path)
    await t.call(`${kind}: deleted`, 'avatars-ann', 'DELETE', path)
    await t.call(`${kind}: deleted twice`, 'avatars-ann', 'DELETE', path)
  }
}
