/** Moves a whole Gitea or Forgejo into this forge (docs/move-in.md). */
export { type PlannedStep, planMove } from './plan.ts'
export { type Difference, reportMove } from './report.ts'
export { type Instance, runPass } from './run.ts'
export { type Installation, readInstallation } from './source/app-ini.ts'
export { openSource, type Source } from './source/source.ts'
