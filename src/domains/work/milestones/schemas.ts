/** Request schemas of milestones. */
import { type Static, Type } from 'typebox'
import { inRepository } from '#domains/code/repositories'
import { pageFields, Time } from '#platform/rest'

const TITLE_MAX = 255
const DESCRIPTION_MAX = 65_536
const STATE = { maxLength: 20, description: 'open (default) or closed' }

/** By id or title. */
export const MilestonePath = inRepository({ id: Type.String() })

export type CreateMilestone = Static<typeof CreateMilestone>
export const CreateMilestone = Type.Object(
  {
    title: Type.String({ minLength: 1, maxLength: TITLE_MAX }),
    description: Type.Optional(Type.String({ maxLength: DESCRIPTION_MAX })),
    due_on: Type.Optional(Time),
    state: Type.Optional(Type.String(STATE)),
  },
  { title: 'CreateMilestoneOption' },
)

export type EditMilestone = Static<typeof EditMilestone>
export const EditMilestone = Type.Object(
  {
    title: Type.Optional(Type.String({ maxLength: TITLE_MAX })),
    description: Type.Optional(Type.String({ maxLength: DESCRIPTION_MAX })),
    due_on: Type.Optional(Time),
    state: Type.Optional(Type.String(STATE)),
  },
  { title: 'EditMilestoneOption' },
)

export const MilestonesQuery = Type.Object({
  ...pageFields,
  state: Type.Optional(Type.String({ description: 'open (default), closed or all' })),
  name: Type.Optional(Type.String({ maxLength: TITLE_MAX, description: 'filter by a part of the title' })),
})
