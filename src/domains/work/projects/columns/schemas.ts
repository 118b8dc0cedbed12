/** Request schemas of project columns. */
import { type Static, Type } from 'typebox'
import { TITLE_MAX, Title } from '../records/schemas.ts'

export const COLUMNS_MAX = 20
export const SORTING_MIN = -128
export const SORTING_MAX = 127

const Color = Type.String({
  pattern: '^(#[0-9a-fA-F]{6})?$',
  description: '# and 6 hexadecimal digits; empty for none',
})

export type CreateColumn = Static<typeof CreateColumn>
export const CreateColumn = Type.Object(
  {
    title: Type.String({ minLength: 1, maxLength: TITLE_MAX }),
    color: Type.Optional(Color),
  },
  { title: 'CreateProjectColumnOption' },
)

export type EditColumn = Static<typeof EditColumn>
export const EditColumn = Type.Object(
  {
    title: Type.Optional(Title),
    color: Type.Optional(Color),
    sorting: Type.Optional(
      Type.Integer({
        minimum: SORTING_MIN,
        maximum: SORTING_MAX,
        description: 'position of the column in the project',
      }),
    ),
  },
  { title: 'EditProjectColumnOption' },
)

export const MoveColumns = Type.Object(
  {
    column_ids: Type.Array(Type.Integer(), {
      minItems: 1,
      maxItems: COLUMNS_MAX,
      description: 'all columns of the project, in their new order',
    }),
  },
  { title: 'MoveProjectColumnsOption' },
)
