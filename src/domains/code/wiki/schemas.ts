/** What clients may send about pages, and its bounds. How large content may be is decided by the size of the body. */
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
