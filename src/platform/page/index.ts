/** Pages: HTML that is safe by type, and pages and forms as data. */
export type {
  Api,
  BodyOf,
  ItemOf,
  Listed,
  OperationId,
  Operations,
  ParamsOf,
  ResponseOf,
} from '#platform/rest'
export { Fields, type SentFile } from './fields.ts'
export { escapeText, Html, html, join, nothing, type Piece, region, trusted } from './html.ts'
export {
  acceptedLanguage,
  currentLanguage,
  inLanguage,
  keepLanguage,
  type Language,
  languageOf,
} from './language.ts'
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
  type PathParams,
  page,
  Redirect,
  type RedirectTo,
  type Rendered,
  type SessionFacts,
  type Web,
} from './page.ts'
