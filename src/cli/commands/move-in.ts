/** `bloomery move-in`: moves a whole Gitea or Forgejo into an empty forge. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Instance, openSource, planMove, readInstallation, reportMove, runPass } from '#move-in'
import { OperatorError } from '#platform/operator-error'
import { say, tell } from '../say.ts'
import { recountAll } from '../usage/recount.ts'
import { withWorld } from '../with-world.ts'

export interface MoveInOptions {
  readonly appIni: string
  readonly dryRun: boolean
}

const DIFFERENCES_SHOWN = 100

/** Fails when something differs, so that scripts notice. */
export async function moveIn(file: string | undefined, options: MoveInOptions): Promise<void> {
  await withInstance(options, (instance) => (options.dryRun ? plan(file, instance) : move(file, instance)))
}

async function withInstance(
  { appIni }: MoveInOptions,
  work: (instance: Instance) => Promise<void>,
): Promise<void> {
  const path = resolve(appIni)
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new OperatorError(`${appIni} cannot be read`, { cause })
  })
  const installation = readInstallation(text, path)
  const source = await openSource(installation)
  tell(`${source.program}, version ${source.version} of its database`)
  try {
    await work({ installation, source })
  } finally {
    await source.close()
  }
}

function plan(file: string | undefined, instance: Instance): Promise<void> {
  return withWorld(file, async (ctx) => {
    for await (const step of planMove(ctx, instance)) say(JSON.stringify(step))
    tell('nothing was written')
  })
}

function move(file: string | undefined, instance: Instance): Promise<void> {
  return withWorld(file, async (ctx) => {
    const moved = await runPass(ctx, instance, tell)
    for await (const _ of recountAll(ctx));
    const { left, differences, ...compared } = await reportMove(moved)
    for (const it of left) say(JSON.stringify({ left: it }))
    for (const difference of differences.slice(0, DIFFERENCES_SHOWN)) say(JSON.stringify({ difference }))
    say(JSON.stringify({ pass: moved.pass, ...compared, differences: differences.length }))
    if (differences.length > 0)
      throw new OperatorError(`${differences.length} differences between the other instance and this forge`)
  })
}
