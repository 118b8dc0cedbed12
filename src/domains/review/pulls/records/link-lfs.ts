/** A merged pull request brings its Git LFS objects along, which no client uploads to the base repository. */
import { findObjectsOfHead, linkMerged } from '#domains/code/lfs'
import { type Consumer, preparedConsumer } from '#events/consumer'
import { findPullOf } from './store.ts'

export const lfsConsumer = preparedConsumer(
  'pulls_lfs',
  'pull.merged',
  async (ctx, { repository_id, issue_id }) => {
    const pull = await findPullOf(ctx.db, issue_id)
    if (pull === undefined || pull.head_repository_id === null) return undefined
    const range = { tips: [pull.head_oid], known: [pull.merge_base] }
    return findObjectsOfHead(ctx, { repositoryId: repository_id, ...range }, pull.head_repository_id)
  },
  (ctx, _event, _meta, found) => linkMerged(ctx, found),
) as Consumer
