/** Request schemas of projects. */
import { type Static, Type } from 'typebox'
import { pageFields } from '#platform/rest'
import { CARD_TYPES, State, TEMPLATE_TYPES } from './wire.ts'

export const TITLE_MAX = 4096
const DESCRIPTION_MAX = 65_536

/** Empty: the first value. */
const TemplateType = Type.Union([...TEMPLATE_TYPES, Type.Literal('')])
const CardType = Type.Union([...CARD_TYPES, Type.Literal('')])

export type CreateProject = Static<typeof CreateProject>
export const CreateProject = Type.Object(
  {
    title: Type.String({ minLength: 1, maxLength: TITLE_MAX }),
    description: Type.Optional(Type.String({ maxLength: DESCRIPTION_MAX })),
    template_type: Type.Optional(TemplateType),
    card_type: Type.Optional(CardType),
  },
  { title: 'CreateProjectOption' },
)

/** At least one non-space character. */
export const Title = Type.String({ pattern: '\\S', maxLength: TITLE_MAX })

export type EditProject = Static<typeof EditProject>
export const EditProject = Type.Object(
  {
    title: Type.Optional(Title),
    description: Type.Optional(Type.String({ maxLength: DESCRIPTION_MAX })),
    card_type: Type.Optional(CardType),
    state: Type.Optional(State),
  },
  { title: 'EditProjectOption' },
)

export const ProjectsQuery = Type.Object({
  ...pageFields,
  state: Type.Optional(Type.String({ description: 'open (default), closed or all' })),
})
