/** What every routes.ts shares: routes as data, pages, proofs, small schemas. */
export type {
  Api,
  BodyOf,
  ItemOf,
  Listed,
  OperationId,
  Operations,
  ParamsOf,
  ResponseOf,
} from './api.ts'
export { byteRangeOf } from './byte-range.ts'
export { formatDuration, parseDuration } from './duration.ts'
export { fileHeaders, pictureTypeOf, SANDBOX } from './file-headers.ts'
export { deadlineOf, instantOf, parseInstant } from './instants.ts'
export {
  type InternalOperation,
  type InternalOperations,
  internalOperation,
} from './internal-operation.ts'
export {
  listed,
  listOf,
  type Page,
  PageQuery,
  pageFields,
  pageHeaders,
  pageHeadersTwice,
  pageOf,
} from './paging.ts'
export { presentOnce } from './present-once.ts'
export { asAnybody, asSignedIn, asSiteAdmin, type SignedIn, type SiteAdmin } from './proofs.ts'
export {
  type Authenticated,
  inviting,
  type PresentedCredentials,
  type RawAnswer,
  type RawBearer,
  type RawRoute,
  rawRoute,
} from './raw-route.ts'
export { readText } from './read-text.ts'
export {
  type Answer,
  type Answers,
  created,
  type Method,
  MISTAKES_ARE_MALFORMED,
  noContent,
  ok,
  type Route,
  route,
  routesOf,
  type Upload,
} from './route.ts'
export { cacheControl, cacheHeaders } from './shared-cache.ts'
export { STATUS } from './status.ts'
export { cutText, cutTitle } from './titles.ts'
export { Bytes, CONTENT_LENGTH_MAX, readBase64, Time, time, Visibility } from './wire.ts'
