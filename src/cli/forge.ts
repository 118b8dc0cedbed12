/** All parts of a forge. Handlers of one subject run in the order of this list. */

import { slice as artifacts } from '#domains/actions/artifacts'
import { slice as runners } from '#domains/actions/runners'
import { slice as runs } from '#domains/actions/runs'
import { slice as secrets } from '#domains/actions/secrets'
import { slice as triggers } from '#domains/actions/triggers'
import { slice as workflows } from '#domains/actions/workflows'
import { slice as attachments } from '#domains/code/attachments'
import { slice as contents } from '#domains/code/contents'
import { slice as keys } from '#domains/code/keys'
import { slice as lfs } from '#domains/code/lfs'
import { slice as protections } from '#domains/code/protections'
import { slice as releases } from '#domains/code/releases'
import { slice as repositories } from '#domains/code/repositories'
import { slice as signing } from '#domains/code/signing'
import { slice as statuses } from '#domains/code/statuses'
import { slice as webhooks } from '#domains/code/webhooks'
import { slice as wiki } from '#domains/code/wiki'
import { slice as admin } from '#domains/instance/admin'
import { slice as audit } from '#domains/instance/audit'
import { slice as instance } from '#domains/instance/instance'
import { slice as mail } from '#domains/instance/mail'
import { slice as markup } from '#domains/instance/markup'
import { slice as packages } from '#domains/packages/packages'
import { slice as orgs } from '#domains/people/orgs'
import { slice as quotas } from '#domains/people/quotas'
import { slice as users } from '#domains/people/users'
import { slice as exports } from '#domains/remotes/exports'
import { slice as imports } from '#domains/remotes/imports'
import { slice as transport } from '#domains/remotes/transport'
import { slice as merges } from '#domains/review/merges'
import { slice as pulls } from '#domains/review/pulls'
import { slice as reviews } from '#domains/review/reviews'
import { slice as oauth2 } from '#domains/sign-in/oauth2'
import { slice as scim } from '#domains/sign-in/scim'
import { slice as sessions } from '#domains/sign-in/sessions'
import { slice as sources } from '#domains/sign-in/sources'
import { slice as activity } from '#domains/work/activity'
import { slice as drafts } from '#domains/work/drafts'
import { slice as issueTemplates } from '#domains/work/issue-templates'
import { slice as issues } from '#domains/work/issues'
import { slice as labels } from '#domains/work/labels'
import { slice as milestones } from '#domains/work/milestones'
import { slice as notifications } from '#domains/work/notifications'
import { slice as projects } from '#domains/work/projects'
import { slice as reports } from '#domains/work/reports'
import { slice as undo } from '#domains/work/undo'
import { slice as views } from '#domains/work/views'
import type { Work } from '#jobs'
import { discardJobs, discardTasks } from '#platform/discard'
import { consumersOf, type Slice } from '#slices'
import { webRoutes } from '#web'

export { web } from '#web'

export const slices: readonly Slice[] = [
  // Compat: the reference lists their cron task first.
  imports,
  instance,
  markup,
  mail,
  admin,
  audit,
  keys,
  users,
  sessions,
  drafts,
  undo,
  views,
  oauth2,
  sources,
  scim,
  orgs,
  quotas,
  repositories,
  protections,
  labels,
  milestones,
  attachments,
  lfs,
  issueTemplates,
  projects,
  issues,
  signing,
  statuses,
  contents,
  pulls,
  reviews,
  merges,
  secrets,
  workflows,
  runs,
  triggers,
  runners,
  artifacts,
  releases,
  packages,
  wiki,
  transport,
  exports,
  notifications,
  webhooks,
  activity,
  reports,
]

export const routes = slices.flatMap((it) => it.routes)
export const internalOperations = slices.flatMap((it) => it.internalOperations)
export const rawRoutes = [...slices.flatMap((it) => it.rawRoutes), ...webRoutes]

/** The work of job workers. */
export function workOf(slices: readonly Slice[]): Work {
  return {
    consumers: consumersOf(slices),
    // Compat: the reference lists `update_mirrors` first.
    tasks: [...slices.flatMap((it) => it.tasks), ...discardTasks],
    jobs: [...discardJobs, ...slices.flatMap((it) => it.jobs)],
  }
}
