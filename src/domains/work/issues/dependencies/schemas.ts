/** Request schemas of dependencies. */
import { type Static, Type } from 'typebox'
import { inRepository } from '#domains/code/repositories'

const NAME_MAX = 255

/** Compat: a string; one that is not a number is 404. */
export const DependencyPath = inRepository({ index: Type.String({ description: 'index of the issue' }) })

export type IssueMeta = Static<typeof IssueMeta>
export const IssueMeta = Type.Object(
  {
    index: Type.Optional(Type.Integer()),
    owner: Type.Optional(Type.String({ maxLength: NAME_MAX, description: "owner of the issue's repo" })),
    repo: Type.Optional(Type.String({ maxLength: NAME_MAX })),
  },
  { title: 'IssueMeta' },
)
