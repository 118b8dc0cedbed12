/** `bloomery admin auth`: manages authentication sources on the machine itself, also when no user can sign in. */
import { readFile } from 'node:fs/promises'
import {
  asOperator,
  createSource,
  deleteSource,
  editSource,
  findSourceByName,
  listAllSources,
  readCreateSource,
  readEditSource,
} from '#domains/sign-in/sources'
import { say, tell } from '../say.ts'
import { withWorld } from '../with-world.ts'

export async function list(file: string | undefined): Promise<void> {
  const sources = await withWorld(file, (ctx) => listAllSources(ctx, asOperator(ctx)))
  for (const { id, kind, name, is_enabled, is_only_way, may_register, settings } of sources)
    say(JSON.stringify({ id, name, is_enabled, is_only_way, may_register, [kind]: settings }))
}

export async function add(file: string | undefined, settings: string): Promise<void> {
  const input = readCreateSource(await readFile(settings, 'utf8'))
  await withWorld(file, (ctx) => createSource(ctx, asOperator(ctx), input))
  tell(`added ${input.name}`)
}

export async function edit(file: string | undefined, name: string, settings: string): Promise<void> {
  const input = readEditSource(await readFile(settings, 'utf8'))
  await withWorld(file, async (ctx) => {
    const operator = asOperator(ctx)
    const { id } = await findSourceByName(ctx, operator, name)
    await editSource(ctx, operator, id, input)
  })
  tell(`edited ${name}`)
}

export async function remove(file: string | undefined, name: string): Promise<void> {
  await withWorld(file, async (ctx) => {
    const operator = asOperator(ctx)
    const { id } = await findSourceByName(ctx, operator, name)
    await deleteSource(ctx, operator, id)
  })
  tell(`deleted ${name}`)
}
