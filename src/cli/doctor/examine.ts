/** All checks of `bloomery doctor`, in the order of its report. */
import type { Config } from '#platform/config'
import { explain } from '../explain.ts'
import { assertGit } from '../requirements.ts'
import { type Check, Warning } from './check.ts'
import { lookAtClock, lookAtDatabase, lookAtPooler, lookAtQueue } from './database.ts'
import { lookAtFailovers } from './failovers.ts'
import { lookAtFiles } from './files.ts'
import { lookAtCache, lookAtDisk, lookAtSshd, lookAtTemporary } from './machine.ts'
import { lookAtBus, lookAtIdentity, lookAtMail, lookAtSecrets, lookAtStore, lookAtUrl } from './services.ts'
import { lookAtSources } from './sources.ts'
import { lookAtUsage } from './usage.ts'

export interface Finding {
  readonly state: 'ok' | 'warning' | 'error' | 'skipped'
  readonly name: string
  readonly text: string
}

const CHECKS: readonly Check[] = [
  { name: 'database', look: lookAtDatabase },
  { name: 'pooler', look: lookAtPooler, needs: ['database'] },
  { name: 'clock', look: lookAtClock, needs: ['database'] },
  { name: 'store', look: lookAtStore },
  { name: 'git', look: assertGit },
  { name: 'sshd', look: lookAtSshd },
  { name: 'disk', look: lookAtDisk, needs: ['store'] },
  { name: 'cache', look: lookAtCache },
  { name: 'temporary files', look: lookAtTemporary },
  { name: 'secrets', look: lookAtSecrets },
  { name: 'identity', look: lookAtIdentity, needs: ['database', 'store', 'secrets'] },
  { name: 'failovers', look: lookAtFailovers, needs: ['database', 'store', 'identity'] },
  { name: 'files', look: lookAtFiles, needs: ['database', 'store', 'identity'] },
  { name: 'usage', look: lookAtUsage, needs: ['database'] },
  { name: 'sources', look: lookAtSources, needs: ['database'] },
  { name: 'url', look: lookAtUrl },
  { name: 'mail', look: lookAtMail },
  { name: 'bus', look: lookAtBus },
  { name: 'queue', look: lookAtQueue, needs: ['database'] },
]

/** Makes the named checks; all of them by default. */
export async function* examine(config: Config, names?: readonly string[]): AsyncGenerator<Finding> {
  const failed = new Set<string>()
  for (const { name, look, needs = [] } of CHECKS) {
    if (names !== undefined && !names.includes(name)) continue
    const cause = needs.find((it) => failed.has(it))
    const finding: Finding =
      cause === undefined
        ? await find(name, () => look(config))
        : { state: 'skipped', name, text: `needs ${cause}` }
    if (finding.state === 'error' || finding.state === 'skipped') failed.add(name)
    yield finding
  }
}

async function find(name: string, look: () => Promise<string>): Promise<Finding> {
  try {
    return { state: 'ok', name, text: await look() }
  } catch (error) {
    const text = explain(error)?.join('; ') ?? (error as Error).message
    return { state: error instanceof Warning ? 'warning' : 'error', name, text }
  }
}
