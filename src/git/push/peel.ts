/** What annotated tags finally point to, kept beside each ref so that nobody need ask git again. */
import type { Context } from '#platform/context'
import { gitText } from '../command/run.ts'

/** By object id; ids that are no tags are not in the map. One process, and none when nothing could be a tag. */
export async function peelTags(
  ctx: Context,
  path: string,
  oids: readonly string[],
): Promise<Map<string, string>> {
  const asked = [...new Set(oids)]
  if (asked.length === 0) return new Map()
  const text = await gitText(
    ctx,
    { name: 'cat-file', flags: ['--batch-check=%(objectname)'] },
    { path, input: asked.map((oid) => `${oid}^{}\n`).join('') },
  )
  const peeled = text.split('\n')
  const found = new Map<string, string>()
  for (const [i, oid] of asked.entries()) {
    const target = peeled[i]
    if (target !== undefined && target !== oid && /^[0-9a-f]+$/.test(target)) found.set(oid, target)
  }
  return found
}
