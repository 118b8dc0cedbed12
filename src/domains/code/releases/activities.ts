/** Feed activities of releases. */
import { TAGS } from '#git'
import { type Activity, activity } from '#slices'
import { findRelease } from './record/store.ts'

export const releasesActivities: readonly Activity[] = [
  activity('release.published', async (ctx, event) => {
    const release = await findRelease(ctx.db, event.repository_id, event.release_id)
    if (release === undefined) return { ...event, acts: [] }
    const { tag, title } = release
    return { ...event, acts: [{ op_type: 'publish_release', ref_name: TAGS + tag, content: title }] }
  }),
]
