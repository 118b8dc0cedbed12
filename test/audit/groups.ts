/** The groups of demands, in the order in which they are checked. */
import { askAboutActions } from './actions/force-cancel.ts'
import { askAboutFeeds } from './activity/feeds.ts'
import { askAboutPackages } from './activity/packages.ts'
import { askAboutUserKeys } from './activity/user-keys.ts'
import { askAboutAdministrators } from './admin/access.ts'
import { askAboutCron, askAboutEmails } from './admin/cron-and-emails.ts'
import { askAboutHooks } from './admin/hooks.ts'
import { askAboutRunners } from './admin/runners.ts'
import { askAboutAuthentication, askAboutConventions } from './conventions.ts'
import { askAboutOddWords, askAboutRepetition, askAboutSurrogates } from './edges.ts'
import { askEveryOperation } from './every-operation.ts'
import { askAboutBlocks } from './issues/blocks.ts'
import { askAboutComments } from './issues/comments.ts'
import { askAboutEditing } from './issues/edit.ts'
import { askAboutIssueSearch } from './issues/search.ts'
import { askAboutTimes } from './issues/times.ts'
import { type Audit, startAudit } from './kit/audit.ts'
import type { Site } from './kit/client.ts'
import { prepareStage, type Stage } from './kit/stage.ts'
import {
  askAboutArchives,
  askAboutDeletion,
  askAboutDueDates,
  askAboutGhosts,
  askAboutKeysInUse,
  askAboutNews,
} from './life.ts'
import { askAboutNotifications } from './notifications.ts'
import { askAboutRepositoryProjects } from './projects/of-repositories.ts'
import { askAboutUserProjects } from './projects/of-users.ts'
import { askAboutPulls } from './pulls/edit.ts'
import { askAboutReviewers } from './pulls/reviewers.ts'
import { askAboutOtherRecords } from './records/others.ts'
import { askAboutPeople } from './records/people.ts'
import { askAboutRepository } from './records/repository.ts'
import { askAboutOldNames } from './redirects.ts'
import { askAboutCommits, makeHistory } from './repositories/commits.ts'
import { askAboutCreating } from './repositories/create.ts'
import { askAboutDeployKeys, askAboutSubscriptions } from './repositories/keys.ts'
import { askAboutMigration } from './repositories/migrate.ts'
import { askAboutSearch } from './repositories/search.ts'

type Part = (audit: Audit, stage: Stage) => Promise<unknown>

/** Parts of a group share its stage and run one after the other. */
export const GROUPS: Readonly<Record<string, readonly Part[]>> = {
  records: [askAboutRepository, askAboutPeople, askAboutOtherRecords],
  admin: [askAboutAdministrators, askAboutRunners, askAboutCron, askAboutEmails, askAboutHooks],
  repositories: [askAboutCreating, askAboutSearch, askAboutSubscriptions, askAboutDeployKeys],
  contents: [makeHistory, askAboutCommits, askAboutMigration],
  issues: [askAboutEditing, askAboutBlocks, askAboutTimes, askAboutComments, askAboutIssueSearch],
  pulls: [askAboutPulls, askAboutReviewers],
  actions: [askAboutActions],
  projects: [askAboutRepositoryProjects, askAboutUserProjects],
  notifications: [askAboutNotifications],
  activity: [askAboutFeeds],
  packages: [askAboutPackages],
  keys: [askAboutUserKeys],
  operations: [askEveryOperation],
  rules: [
    askAboutAuthentication,
    askAboutConventions,
    askAboutRepetition,
    askAboutOddWords,
    askAboutSurrogates,
  ],
  life: [
    askAboutDueDates,
    askAboutDeletion,
    askAboutGhosts,
    askAboutArchives,
    askAboutKeysInUse,
    askAboutNews,
  ],
  redirects: [askAboutOldNames],
}

/** Checks all demands of a group on its own stage. */
export async function playGroup(site: Site, name: string): Promise<Audit> {
  const audit = startAudit(site, name)
  try {
    const stage = await prepareStage(audit)
    for (const part of GROUPS[name] ?? []) await part(audit, stage)
  } finally {
    audit.client.close()
  }
  return audit
}
