/** Dashboard, issues, pull requests, milestones, inbox and search of the user. */
import type { Page } from '#platform/page'
import { everywherePages } from './everywhere.ts'
import { findPages } from './find.ts'
import { homePages } from './home.ts'
import { inboxPages } from './inbox.ts'
import { previewPages } from './preview.ts'
import { suggestPages } from './suggest.ts'
import { undoPages } from './undo.ts'
import { viewsPages } from './views.ts'

export const dashboardPages: readonly Page[] = [
  ...homePages,
  ...everywherePages,
  ...inboxPages,
  ...findPages,
  ...previewPages,
  ...suggestPages,
  ...undoPages,
  ...viewsPages,
]
