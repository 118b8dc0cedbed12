/** Feed activities of moved refs. */
import { type Activity, activityOfGit } from '#slices'
import { actsOfRefs } from './ref-acts.ts'

export const contentsActivities: readonly Activity[] = [
  activityOfGit('refs.moved', async (ctx, { repository_id, actor_id, cause, updates }) => ({
    repository_id,
    actor_id: cause === 'mirror' ? 'owner' : actor_id,
    acts: await actsOfRefs(ctx, cause, repository_id, updates),
  })),
]
