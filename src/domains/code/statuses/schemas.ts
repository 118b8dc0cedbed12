/** Request bodies and queries of statuses, and their bounds. */
import { type Static, Type } from 'typebox'
import { pageFields } from '#platform/rest'
import { State } from './combine.ts'

export type CreateStatus = Static<typeof CreateStatus>
export const CreateStatus = Type.Object(
  {
    state: State,
    context: Type.Optional(Type.String({ maxLength: 255 })),
    description: Type.Optional(Type.String({ maxLength: 2048 })),
    target_url: Type.Optional(Type.String({ maxLength: 2048 })),
  },
  { title: 'CreateStatusOption' },
)

export const StatusesQuery = Type.Object({
  ...pageFields,
  sort: Type.Optional(
    Type.String({ description: 'sort by oldest, recentupdate, leastupdate, leastindex or highestindex' }),
  ),
  state: Type.Optional(Type.String({ description: 'filter by state' })),
})
