/** Pages: HTML that is safe by type, and pages and forms as data. */
export type {
  Asking,
  Given,
  ItemOf,
  Listed,
  OperationId,
  Operations,
  Sent,
  Told,
} from '#platform/rest'
export { Fields, type SentFile } from './fields.ts'
export { escapeText, Html, html, join, nothing, type Piece, region, trusted } from './html.ts'
export { localPath } from './local-path.ts'
export {
  addressOf,
  type Cookie,
  type FailedForm,
  type Form,
  type FormVisit,
  type OwnVerb,
  type Page,
  type PageVisit,
  type ParamsOf,
  page,
  Redirect,
  type SessionFacts,
  type Shown,
  type Web,
  type Went,
} from './page.ts'
