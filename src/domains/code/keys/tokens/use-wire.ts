/** The REST record of what a token did. Pure. */
import { type Static, Type } from 'typebox'
import { wireUnit } from '#domains/people/access'
import { AccessToken, presentToken } from '../wire.ts'
import { KEPT_DAYS } from './token-use.ts'
import type { UseReport } from './use.ts'

const Level = Type.Union([Type.Literal('read'), Type.Literal('write'), Type.Literal('admin')])

export type AccessTokenUse = Static<typeof AccessTokenUse>
export const AccessTokenUse = Type.Object(
  {
    token: AccessToken,
    days: Type.Integer({ description: 'how far it goes back' }),
    uses: Type.Array(
      Type.Object(
        {
          repository: Type.Union([
            Type.Object(
              { id: Type.Integer(), full_name: Type.String() },
              { title: 'AccessTokenUseRepository' },
            ),
            Type.Null(),
          ]),
          unit: Type.Union([Type.String(), Type.Null()]),
          level: Level,
          last_day: Type.String({ description: 'UTC, YYYY-MM-DD' }),
          is_lost: Type.Boolean({ description: 'a limited token cannot do it' }),
        },
        { title: 'AccessTokenUseEntry' },
      ),
    ),
    proposal: Type.Union([
      Type.Object(
        {
          repository_ids: Type.Array(Type.Integer()),
          units_map: Type.Record(Type.String(), Type.Union([Type.Literal('read'), Type.Literal('write')])),
        },
        { title: 'AccessTokenProposal' },
      ),
      Type.Null(),
    ]),
  },
  { title: 'AccessTokenUse' },
)

export function presentTokenUse({ token, uses, proposal }: UseReport): AccessTokenUse {
  return {
    token: presentToken(token),
    days: KEPT_DAYS,
    uses: uses.map(({ repository, unit, level, lastDay, isLost }) => ({
      repository: repository && {
        id: repository.id,
        full_name: `${repository.owner.login}/${repository.name}`,
      },
      unit: unit && wireUnit(unit),
      level,
      last_day: lastDay,
      is_lost: isLost,
    })),
    proposal: proposal ?? null,
  }
}
