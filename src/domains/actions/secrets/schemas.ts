/** Secrets and variables on the wire. */
import { Type } from 'typebox'
import { Time } from '#platform/rest'

const VALUE_LENGTH_MAX = 65_536
const DESCRIPTION_LENGTH_MAX = 32_768

const Description = Type.Optional(Type.String({ maxLength: DESCRIPTION_LENGTH_MAX }))
const Value = Type.String({ minLength: 1, maxLength: VALUE_LENGTH_MAX })

export const PutSecret = Type.Object({ data: Value, description: Description })

export const Secret = Type.Object(
  { name: Type.String(), description: Type.String(), created_at: Time },
  { $id: 'Secret' },
)

export const CreateVariable = Type.Object({ value: Value, description: Description })
export const EditVariable = Type.Object({
  name: Type.Optional(Type.String({ maxLength: 255 })),
  value: Value,
  description: Description,
})

export const Variable = Type.Object(
  {
    owner_id: Type.Integer(),
    repo_id: Type.Integer(),
    name: Type.String(),
    data: Type.String(),
    description: Type.String(),
  },
  { $id: 'ActionVariable' },
)
