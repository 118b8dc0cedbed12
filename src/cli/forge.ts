/** All that a forge consists of. Handlers of one subject act in the order of this list. */
import { slice as activity } from '#domains/activity'
import { slice as admin } from '#domains/admin'
import { slice as artifacts } from '#domains/artifacts'
import { slice as attachments } from '#domains/attachments'
import { slice as contents } from '#domains/contents'
import { slice as drafts } from '#domains/drafts'
import { slice as imports } from '#domains/imports'
import { slice as instance } from '#domains/instance'
import { slice as issues } from '#domains/issues'
import { slice as keys } from '#domains/keys'
import { slice as labels } from '#domains/labels'
import { slice as mail } from '#domains/mail'
import { slice as markup } from '#domains/markup'
import { slice as merges } from '#domains/merges'
import { slice as notifications } from '#domains/notifications'
import { slice as oauth2 } from '#domains/oauth2'
import { slice as orgs } from '#domains/orgs'
import { slice as packages } from '#domains/packages'
import { slice as projects } from '#domains/projects'
import { slice as protections } from '#domains/protections'
import { slice as pulls } from '#domains/pulls'
import { slice as releases } from '#domains/releases'
import { slice as repositories } from '#domains/repositories'
import { slice as reviews } from '#domains/reviews'
import { slice as runners } from '#domains/runners'
import { slice as runs } from '#domains/runs'
import { slice as secrets } from '#domains/secrets'
import { slice as sessions } from '#domains/sessions'
import { slice as signing } from '#domains/signing'
import { slice as statuses } from '#domains/statuses'
import { slice as transport } from '#domains/transport'
import { slice as triggers } from '#domains/triggers'
import { slice as users } from '#domains/users'
import { slice as views } from '#domains/views'
import { slice as webhooks } from '#domains/webhooks'
import { slice as wiki } from '#domains/wiki'
import { slice as workflows } from '#domains/workflows'
import type { Work } from '#jobs'
import { discardJobs, discardTasks } from '#platform/discard'
import { consumersOf, type Slice } from '#slices'
import { webRoutes } from '#web'

export { web } from '#web'

export const slices: readonly Slice[] = [
  // Compat: their cron task is the first that the administration lists.
  imports,
  instance,
  markup,
  mail,
  admin,
  keys,
  users,
  sessions,
  drafts,
  views,
  oauth2,
  orgs,
  repositories,
  protections,
  labels,
  attachments,
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
  notifications,
  webhooks,
  activity,
]

export const routes = slices.flatMap((it) => it.routes)
export const internalOperations = slices.flatMap((it) => it.internalOperations)
export const rawRoutes = [...slices.flatMap((it) => it.rawRoutes), ...webRoutes]

/** What workers do. */
export function workOf(slices: readonly Slice[]): Work {
  return {
    consumers: consumersOf(slices),
    // Compat: the reference lists `update_mirrors` first.
    tasks: [...slices.flatMap((it) => it.tasks), ...discardTasks],
    jobs: [...discardJobs, ...slices.flatMap((it) => it.jobs)],
  }
}
