/** Request schemas of labels. */
import { type Static, Type } from 'typebox'
import { pageFields } from '#platform/rest'

const NAME_MAX = 255
const COLOR = { maxLength: 255, description: 'hex color of three or six digits' }
const DESCRIPTION_MAX = 2048

export type CreateLabel = Static<typeof CreateLabel>
export const CreateLabel = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: NAME_MAX }),
    color: Type.String({ minLength: 1, ...COLOR }),
    description: Type.Optional(Type.String({ maxLength: DESCRIPTION_MAX })),
    exclusive: Type.Optional(Type.Boolean()),
    is_archived: Type.Optional(Type.Boolean()),
  },
  { title: 'CreateLabelOption' },
)

export type EditLabel = Static<typeof EditLabel>
export const EditLabel = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: NAME_MAX })),
    color: Type.Optional(Type.String(COLOR)),
    description: Type.Optional(Type.String({ maxLength: DESCRIPTION_MAX })),
    exclusive: Type.Optional(Type.Boolean()),
    is_archived: Type.Optional(Type.Boolean()),
  },
  { title: 'EditLabelOption' },
)

export const LabelsQuery = Type.Object({
  ...pageFields,
  sort: Type.Optional(Type.String({ description: 'alphabetically (default) or reversealphabetically' })),
})
