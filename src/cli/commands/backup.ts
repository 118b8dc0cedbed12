/** `bloomery backup`: runs the commands of a backup while nothing is deleted from the object store. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { duringBackup } from '#platform/backup'
import { OperatorError } from '#platform/operator-error'
import { tell } from '../say.ts'
import { withWorld } from '../with-world.ts'

export async function backup(file: string | undefined, words: readonly string[]): Promise<void> {
  const [program, ...args] = words
  if (program === undefined) throw new OperatorError('backup command is required')
  const code = await withWorld(file, (ctx) =>
    duringBackup(ctx, async () => {
      tell('object deletion paused')
      const child = spawn(program, args, { stdio: 'inherit' })
      const [code] = (await once(child, 'exit')) as [number | null]
      return code
    }),
  )
  if (code !== 0) throw new OperatorError(`backup failed: ${program} exited with code ${code}`)
}
