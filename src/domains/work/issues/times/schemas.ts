/** Request schemas of tracked times. */
import { type Static, Type } from 'typebox'
import { inRepository } from '#domains/code/repositories'
import { pageFields, Time } from '#platform/rest'
import { spanFields } from '../timeline/routes.ts'

/** About thirty years. */
export const SECONDS_MAX = 1_000_000_000
const LOGIN_MAX = 255

export type AddTime = Static<typeof AddTime>
export const AddTime = Type.Object(
  {
    time: Type.Integer({
      minimum: 1,
      maximum: SECONDS_MAX,
      description: 'time in seconds',
    }),
    created: Type.Optional(Time),
    user_name: Type.Optional(
      Type.String({
        maxLength: LOGIN_MAX,
        description: 'user who spent the time; administrators of the repository may name another',
      }),
    ),
  },
  { title: 'AddTimeOption' },
)

export const TimePath = inRepository({ index: Type.Integer(), id: Type.Integer() })

const User = Type.String({ maxLength: LOGIN_MAX, description: 'only times of this user' })

export type TimesQuery = Static<typeof TimesQuery>
export const TimesQuery = Type.Object({ ...pageFields, ...spanFields, user: Type.Optional(User) })
export const OwnTimesQuery = Type.Object({ ...pageFields, ...spanFields })
