/** An example of every page. */

import { admin } from './admin.ts'
import { boards } from './boards.ts'
import { code } from './code.ts'
import { diffs } from './diffs.ts'
import type { Examples } from './example.ts'
import { explore } from './explore.ts'
import { ground } from './ground.ts'
import { issues } from './issues.ts'
import { making } from './making.ts'
import { mine } from './mine.ts'
import { packages } from './packages.ts'
import { people } from './people.ts'
import { pulls } from './pulls.ts'
import { runs } from './runs.ts'
import { settings } from './settings.ts'

export const EXAMPLES: Examples = {
  ...ground,
  ...code,
  ...diffs,
  ...pulls,
  ...issues,
  ...boards,
  ...mine,
  ...explore,
  ...people,
  ...admin,
  ...making,
  ...runs,
  ...packages,
  ...settings,
}
