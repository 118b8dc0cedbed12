/** Webhook payload: a comment on a pull request was created, edited or deleted. */
import { buildComment, type CommentFacts, describeComment } from '#domains/work/issues'
import { payload } from '#slices'
import { findShownPull } from './pull.ts'

export const commentPayload = payload({
  type: 'pull_request_comment',
  indent: 2,
  async build(ctx, facts: CommentFacts) {
    const told = await buildComment(ctx, facts)
    const pull_request = told === null ? undefined : await findShownPull(ctx, facts)
    if (told === null || pull_request === undefined) return null
    const { action, issue, ...rest } = told
    return { action, issue, pull_request, ...rest }
  },
  describe: (content) => describeComment(content, 'pull request'),
})
