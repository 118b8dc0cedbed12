/** Request schemas of reviews. */
import { type Static, Type } from 'typebox'
import { inRepository } from '#domains/code/repositories'
import { PullPath } from '#domains/review/pulls'

export const TEXT_MAX = 1_000_000
const PATH_MAX = 4_096
const EVENT_MAX = 20
const REMARKS_MAX = 100

export const ReviewPath = Type.Object({ ...PullPath.properties, id: Type.Integer() })
export const LinePath = inRepository({ id: Type.Integer() })

const EVENT = Type.Optional(
  Type.String({
    maxLength: EVENT_MAX,
    description: 'APPROVED, REQUEST_CHANGES, COMMENT, or PENDING (default)',
  }),
)
const TEXT = Type.Optional(Type.String({ maxLength: TEXT_MAX }))
const LINE_MAX = 1_000_000_000
const line = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: LINE_MAX, description }))

const CreateRemark = Type.Object(
  {
    path: Type.String({ maxLength: PATH_MAX, description: 'path of the file' }),
    body: Type.String({ maxLength: TEXT_MAX }),
    new_position: line('line of the new file, or 0'),
    old_position: line('line of the old file, or 0'),
    start_line: line(
      'for a comment on several lines: the first, in the same hunk and on the same side as the position, which is the last',
    ),
  },
  { title: 'CreatePullReviewComment' },
)

export type CreateReview = Static<typeof CreateReview>
export const CreateReview = Type.Object(
  {
    event: EVENT,
    body: TEXT,
    commit_id: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'commit of the pull request that was reviewed; its head by default',
      }),
    ),
    comments: Type.Optional(Type.Array(CreateRemark, { maxItems: REMARKS_MAX })),
  },
  { title: 'CreatePullReviewOptions' },
)

export type SubmitReview = Static<typeof SubmitReview>
export const SubmitReview = Type.Object({ event: EVENT, body: TEXT }, { title: 'SubmitPullReviewOptions' })

export type DismissReview = Static<typeof DismissReview>
export const DismissReview = Type.Object(
  {
    message: TEXT,
    priors: Type.Optional(
      Type.Boolean({ description: 'whether all reviews of the same user are dismissed' }),
    ),
  },
  { title: 'DismissPullReviewOptions' },
)

export const CreateReply = Type.Object(
  { body: Type.String({ minLength: 1, maxLength: TEXT_MAX }) },
  { title: 'CreatePullReviewCommentReplyOptions' },
)
