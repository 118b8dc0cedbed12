/** `bloomery admin auth scim`: manages SCIM tokens on the machine itself. */
import { createScimToken, listScimTokens, revokeScimToken } from '#domains/sign-in/scim'
import { asOperator, findSourceByName } from '#domains/sign-in/sources'
import { notFound } from '#platform/problem'
import { say, tell } from '../say.ts'
import { withWorld } from '../with-world.ts'

export async function list(file: string | undefined, source: string): Promise<void> {
  const tokens = await withWorld(file, async (ctx) => {
    const operator = asOperator(ctx)
    return listScimTokens(ctx, operator, (await findSourceByName(ctx, operator, source)).id)
  })
  for (const { id, name, last_eight, created_at, last_used_at, last_used_from } of tokens)
    say(JSON.stringify({ id, name, token_last_eight: last_eight, created_at, last_used_at, last_used_from }))
}

export async function create(file: string | undefined, source: string, name: string): Promise<void> {
  const { token } = await withWorld(file, async (ctx) => {
    const operator = asOperator(ctx)
    const { id } = await findSourceByName(ctx, operator, source)
    return createScimToken(ctx, operator, id, name)
  })
  say(token)
}

export async function revoke(file: string | undefined, source: string, name: string): Promise<void> {
  await withWorld(file, async (ctx) => {
    const operator = asOperator(ctx)
    const { id } = await findSourceByName(ctx, operator, source)
    const token = (await listScimTokens(ctx, operator, id)).find((it) => it.name === name)
    if (token === undefined) throw notFound('SCIM token', name)
    await revokeScimToken(ctx, operator, id, token.id)
  })
  tell(`revoked ${name}`)
}
