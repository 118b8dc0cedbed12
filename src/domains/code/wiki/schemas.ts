/** Request bodies of wiki pages and their bounds. The content is bounded by the size of the request body. */
import { type Static, Type } from 'typebox'
import { CONTENT_LENGTH_MAX } from '#platform/rest'

export type WritePage = Static<typeof WritePage>
export const WritePage = Type.Object(
  {
    title: Type.Optional(
      Type.String({ maxLength: 255, description: 'page title, required to create a page' }),
    ),
    content_base64: Type.Optional(Type.String({ maxLength: CONTENT_LENGTH_MAX })),
    message: Type.Optional(Type.String({ maxLength: 65_535 })),
  },
  { title: 'CreateWikiPageOptions' },
)
