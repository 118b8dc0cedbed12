/** What clients may send about repositories, and its bounds. */
import { type Static, Type } from 'typebox'
import { REPOSITORY_NAME_MAX } from './names.ts'

export type CreateRepository = Static<typeof CreateRepository>
export const CreateRepository = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: REPOSITORY_NAME_MAX }),
    description: Type.Optional(Type.String({ maxLength: 2048 })),
    private: Type.Optional(Type.Boolean()),
    template: Type.Optional(Type.Boolean()),
    auto_init: Type.Optional(Type.Boolean({ description: 'refused as yet' })),
    default_branch: Type.Optional(Type.String({ maxLength: 100 })),
    gitignores: Type.Optional(Type.String({ maxLength: 1024 })),
    issue_labels: Type.Optional(Type.String({ maxLength: 255 })),
    license: Type.Optional(Type.String({ maxLength: 100 })),
    readme: Type.Optional(Type.String({ maxLength: 255 })),
    trust_model: Type.Optional(Type.String({ maxLength: 30 })),
    object_format_name: Type.Optional(Type.String({ maxLength: 6 })),
  },
  { title: 'CreateRepoOption' },
)

export const RepositoryPath = Type.Object({ owner: Type.String(), repo: Type.String() })
