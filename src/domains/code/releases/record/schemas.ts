/** Request bodies and queries of releases, and their bounds. */
import { type Static, Type } from 'typebox'
import { pageFields } from '#platform/rest'

const TAG_MAX = 255
const fields = {
  target_commitish: Type.Optional(Type.String({ maxLength: 255 })),
  name: Type.Optional(Type.String({ maxLength: 255 })),
  body: Type.Optional(Type.String({ maxLength: 1_000_000 })),
  draft: Type.Optional(Type.Boolean()),
  prerelease: Type.Optional(Type.Boolean()),
}

export type CreateRelease = Static<typeof CreateRelease>
export const CreateRelease = Type.Object(
  {
    tag_name: Type.String({ minLength: 1, maxLength: TAG_MAX }),
    tag_message: Type.Optional(Type.String({ maxLength: 65_535 })),
    ...fields,
  },
  { title: 'CreateReleaseOption' },
)

export type EditRelease = Static<typeof EditRelease>
export const EditRelease = Type.Object(
  { tag_name: Type.Optional(Type.String({ maxLength: TAG_MAX })), ...fields },
  { title: 'EditReleaseOption' },
)

export const ReleasesQuery = Type.Object({
  ...pageFields,
  draft: Type.Optional(Type.Boolean({ description: 'filter by whether the release is a draft' })),
  'pre-release': Type.Optional(
    Type.Boolean({ description: 'filter by whether the release is a prerelease' }),
  ),
  tag_filter: Type.Optional(
    Type.String({ maxLength: TAG_MAX, description: 'filter by part of the tag name' }),
  ),
})
