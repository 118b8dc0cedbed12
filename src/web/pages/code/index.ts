/** Code: home, files, blame, history, branches, tags, releases, wiki, feeds. */
import type { Page } from '#platform/page'
import { activityPages } from './activity/activity.ts'
import { fileChangePages } from './change/add-and-delete.ts'
import { editPages } from './change/edit-file.ts'
import { forkAndEditPages } from './change/fork-and-edit.ts'
import { pickPages } from './change/pick-commit.ts'
import { findPages } from './files/find.ts'
import { searchPages } from './files/search.ts'
import { sourcePages } from './files/source.ts'
import { blamePages } from './history/blame.ts'
import { branchPages } from './history/branches.ts'
import { historyPages } from './history/history.ts'
import { tagPages } from './history/tags.ts'
import { homePages } from './home.ts'
import { releaseEditPages } from './releases/edit-release.ts'
import { releasePages } from './releases/releases.ts'
import { newWikiPages } from './wiki/new-wiki.ts'
import { wikiPages } from './wiki/wiki.ts'
import { wikiCommitPages } from './wiki/wiki-commit.ts'

export { feedRoutes } from './activity/feeds.ts'

export const codePages: readonly Page[] = [
  ...homePages,
  ...sourcePages,
  ...findPages,
  ...searchPages,
  ...blamePages,
  ...historyPages,
  ...branchPages,
  ...tagPages,
  ...releasePages,
  ...releaseEditPages,
  ...wikiPages,
  ...newWikiPages,
  ...wikiCommitPages,
  ...editPages,
  ...forkAndEditPages,
  ...fileChangePages,
  ...pickPages,
  ...activityPages,
]
