/** All steps, in the order in which their rows refer to each other. */
import { actions } from './actions/actions.ts'
import type { Step } from './carry/carry.ts'
import { keys } from './code/keys.ts'
import { mirrors } from './code/mirrors.ts'
import { protections } from './code/protections.ts'
import { releaseSteps } from './code/releases.ts'
import { records, ties } from './code/repositories.ts'
import { unitAccess } from './code/unit-access.ts'
import { webhooks } from './code/webhooks.ts'
import { attachmentSteps } from './files/attachments.ts'
import { lfs } from './files/lfs.ts'
import { gitSteps } from './git/repositories.ts'
import { packageEnd, packages } from './packages/packages.ts'
import { people } from './people/accounts.ts'
import { applicationSteps } from './people/applications.ts'
import { orgs, teamRepositories } from './people/orgs.ts'
import { pullSteps } from './review/pulls.ts'
import { settle } from './settle/settle.ts'
import { commentSteps } from './work/comments.ts'
import { issueSteps, tracker } from './work/issues.ts'
import { notificationSteps } from './work/notifications.ts'
import { projectSteps } from './work/projects.ts'

export const STEPS: readonly Step[] = [
  ...people,
  ...orgs,
  ...records,
  ...gitSteps,
  ...ties,
  ...unitAccess,
  teamRepositories,
  ...keys,
  ...applicationSteps,
  ...protections,
  ...webhooks,
  ...releaseSteps,
  ...mirrors,
  ...lfs,
  ...tracker,
  ...projectSteps.slice(0, 2),
  ...issueSteps,
  ...projectSteps.slice(2),
  ...commentSteps,
  ...pullSteps,
  ...notificationSteps,
  ...attachmentSteps,
  ...packages,
  ...actions,
  ...settle,
  ...packageEnd,
]
