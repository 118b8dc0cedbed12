/** What clients may send about pages, and its bounds. How large content may be is decided by the size of the body. */
import { type Static, Type } from 'typebox'

export type WritePage = Static<typeof WritePage>
export const WritePage = Type.Object(
  {
    title: Type.Optional(Type.String({ maxLength: 255, description: 'needed for a new page' })),
    content_base64: Type.Optional(Type.String()),
    message: Type.Optional(Type.String({ maxLength: 65_535 })),
  },
  { title: 'CreateWikiPageOptions' },
)
