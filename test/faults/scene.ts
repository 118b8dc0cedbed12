/** What the faults of one run share: a forge, a random generator, and helpers. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { ChaosForge } from '../chaos/chaos-forge.ts'
import type { Dice } from '../chaos/dice.ts'
import type { Place } from './work.ts'

export interface Scene {
  readonly forge: ChaosForge
  readonly dice: Dice
  /** 1 for CI; more for the full length. */
  readonly rounds: number
}

/** Calls any live node, and asserts success. */
export async function must(
  { forge, dice }: Scene,
  method: string,
  path: string,
  body?: object,
): Promise<{ id: number }> {
  const node = await forge.pickNode(dice)
  const answer = await forge.call(node, method, path, body)
  assert.ok(answer.ok, `${method} ${path} answered ${answer.status} ${await answer.clone().text()}`)
  return answer.status === 204 ? { id: 0 } : ((await answer.json()) as { id: number })
}

/** A new user with one repository. */
export async function newPlace(
  scene: Scene,
  object_format_name = 'sha1',
): Promise<Place & { readonly id: number }> {
  const name = `iron-${randomUUID().slice(0, 8)}`
  const owner = `o-${randomUUID().slice(0, 8)}`
  await must(scene, 'POST', '/admin/users', {
    username: owner,
    email: `${owner}@example.test`,
    password: randomUUID(),
    must_change_password: false,
  })
  const { id } = await must(scene, 'POST', `/admin/users/${owner}/repos`, {
    name,
    object_format_name,
    default_branch: 'main',
  })
  return { owner, name, id }
}
