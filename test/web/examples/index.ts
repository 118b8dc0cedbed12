/** An example of every page. */

import { admin } from './admin.ts'
import { boards } from './boards.ts'
import { code } from './code.ts'
import { create } from './create.ts'
import { dashboard } from './dashboard.ts'
import { diffs } from './diffs.ts'
import type { Examples } from './example.ts'
import { explore } from './explore.ts'
import { issues } from './issues.ts'
import { packages } from './packages.ts'
import { people } from './people.ts'
import { pulls } from './pulls.ts'
import { runs } from './runs.ts'
import { settings } from './settings.ts'
import { signIn } from './sign-in.ts'

export const EXAMPLES: Examples = {
  ...signIn,
  ...code,
  ...diffs,
  ...pulls,
  ...issues,
  ...boards,
  ...dashboard,
  ...explore,
  ...people,
  ...admin,
  ...create,
  ...runs,
  ...packages,
  ...settings,
}
