/** Mappings over REST. */
import { Type } from 'typebox'
import { GROUP_NAME_MAX } from '../profile.ts'

const MAPPINGS_MAX = 500

export const Mapping = Type.Object(
  {
    group: Type.String({
      minLength: 1,
      maxLength: GROUP_NAME_MAX,
      description: 'name of the group at the source',
    }),
    organization: Type.Optional(Type.String({ maxLength: 40 })),
    team: Type.Optional(Type.String({ maxLength: 255 })),
    admin: Type.Optional(Type.Boolean({ description: 'its members are site administrators' })),
  },
  { title: 'AuthenticationSourceMapping' },
)
export const Mappings = Type.Object(
  { mappings: Type.Array(Mapping, { maxItems: MAPPINGS_MAX }) },
  { title: 'AuthenticationSourceMappings' },
)
