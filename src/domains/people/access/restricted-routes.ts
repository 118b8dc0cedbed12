/**
 * The routes that a restricted credential may call. Any other route refuses it: account settings, administration, and
 * every new route until it is listed here.
 */
import { isLimited, type Restriction } from './restriction.ts'

/** The facts of a route of either kind. */
interface RouteFacts {
  readonly operationId: string
  readonly path: string
  readonly isRead: boolean
  /** A route of a protocol whose `open` knows restrictions. */
  readonly admitsRestricted: boolean
}

/** Their `open` looks up a repository with the access of the credential. */
const IN_REPOSITORY = /^(\/repos)?\/:owner\/:repo(?![^/.])/
/** The routes that jobs write to. */
const OF_JOBS = /\/:owner\/:repo(\/|$)/

/** In a repository, but about the account, another owner or a later effect without the restriction. */
const NOT_IN_REPOSITORY: ReadonlySet<string> = new Set([
  'createFork',
  'userCurrentCheckSubscription',
  'userCurrentPutSubscription',
  'userCurrentDeleteSubscription',
  'notifyGetRepoList',
  'notifyReadRepoList',
  'repoTransfer',
  'acceptRepoTransfer',
  'rejectRepoTransfer',
  'issueStartStopWatch',
  'issueStopStopWatch',
  'issueDeleteStopWatch',
])

/** Lists, which contain only what the credential may see, and facts that are the same for all callers. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'repoSearch',
  'userCurrentListRepos',
  'userListRepos',
  'orgListRepos',
  'repoGetByID',
  'issueSearchIssues',
  'userListActivityFeeds',
  'orgListActivityFeeds',
  'webFeedOfOwnerRss',
  'webFeedOfOwnerAtom',
  'downloadAttachment',
  'userGetCurrent',
  'getCurrentToken',
  'deleteCurrentToken',
  'createNarrowedToken',
  'listPackages',
  'listPackageVersions',
  'getLatestPackageVersion',
  'getPackage',
  'listPackageFiles',
  'deletePackage',
  'deletePackageVersion',
  'getVersion',
  'getGeneralAPISettings',
  'getGeneralAttachmentSettings',
  'getGeneralRepositorySettings',
  'getGeneralUISettings',
])

/** They create credentials that would outlive the end of the one that creates them. */
const CREATES_CREDENTIALS: ReadonlySet<string> = new Set([
  'userCreateToken',
  'userCurrentPostKey',
  'userCurrentPostGPGKey',
  'adminCreatePublicKey',
  'repoCreateKey',
  'repoCreateDeployToken',
  'userCreateOAuth2Application',
  'userUpdateOAuth2Application',
  'adminCreateUser',
  'adminEditUser',
])

/** The reason why the credential may not call the route; undefined if it may, as far as `open` allows. */
export function routeRefusal(it: Restriction, route: RouteFacts): string | undefined {
  const { operationId, path, isRead } = route
  if (it.holder === 'job')
    return isRead || route.admitsRestricted || OF_JOBS.test(path)
      ? undefined
      : 'token of a job is limited to its repository'
  if (!isLimited(it))
    return CREATES_CREDENTIALS.has(operationId) ? 'a token that ends cannot create credentials' : undefined
  const isAdmitted = IN_REPOSITORY.test(path)
    ? !NOT_IN_REPOSITORY.has(operationId)
    : route.admitsRestricted || ELSEWHERE.has(operationId)
  return isAdmitted ? undefined : 'this endpoint is not available for restricted tokens'
}
