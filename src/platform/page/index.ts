/** Pages: HTML that is safe by type, and pages and forms as data. */
export { Fields, type SentFile } from './fields.ts'
export { escapeText, Html, html, join, nothing, type Piece, region, trusted } from './html.ts'
export { localPath } from './local-path.ts'
export {
  type Asking,
  addressOf,
  type Cookie,
  type FailedForm,
  type Form,
  type FormVisit,
  type Given,
  type ItemOf,
  type Listed,
  type OperationId,
  type Operations,
  type OwnVerb,
  type Page,
  type PageVisit,
  type ParamsOf,
  page,
  Redirect,
  type Sent,
  type SessionFacts,
  type Shown,
  type Told,
  type Web,
  type Went,
} from './page.ts'
