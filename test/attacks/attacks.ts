/** All attacks, in the order in which they run on a forge: those that need a quiet or fresh one first. */
import { access } from './access.ts'
import { cache } from './cache.ts'
import { credentials } from './credentials.ts'
import { database } from './database.ts'
import { fetches } from './fetches.ts'
import { gitMemory } from './git-memory.ts'
import { imports } from './imports.ts'
import type { Attack } from './kit/attack.ts'
import { names } from './names.ts'
import { nodeMemory } from './node-memory.ts'
import { nodesThatStop } from './nodes-that-stop.ts'
import { runners } from './runners.ts'
import { storeAndClocks } from './store-and-clocks.ts'
import { whatLands } from './what-lands.ts'
import { whoseCodeRuns } from './whose-code-runs.ts'

export const attacks: readonly Attack[] = [
  ...imports,
  ...database,
  ...whoseCodeRuns,
  ...whatLands,
  ...access,
  ...credentials,
  ...names,
  ...runners,
  ...storeAndClocks,
  ...cache,
  ...fetches,
  ...gitMemory,
  ...nodeMemory,
  ...nodesThatStop,
]
