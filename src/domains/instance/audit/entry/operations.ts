/** Operations that the audit log treats differently. All other operations that are not a GET are audited. */

/** They change nothing, although they are a POST. */
const READS = [
  'renderMarkdown',
  'renderMarkdownRaw',
  'renderMarkup',
  'repoGetFileContentsPost',
  'adminCheckHealth',
  'artifactListArtifacts',
  'artifactGetSignedArtifactURL',
  'oauth2IntrospectToken',
  'webOfferPasskey',
  'runnerPing',
]

/** Runners report every few seconds, and runs and jobs keep what was reported. */
const REPORTS = ['runnerDeclare', 'runnerFetchTask', 'runnerUpdateTask', 'runnerUpdateLog']

/** Their refusals are recorded for anonymous clients too. */
const SIGN_INS = new Set([
  // Wrong credentials of a request to any operation.
  'signIn',
  'signInByPassword',
  'signInByCode',
  'signInByNewPassword',
  'signInByPasskey',
  'recoverySetPassword',
  'sourceByPassword',
  'sourceFinish',
  'sourceFinishSaml',
  'oauth2IssueTokens',
])

/** The browser brings these to an end by an operation that is audited. */
const BEGINNINGS = ['sourceAnswerSaml']

export const UNAUDITED: ReadonlySet<string> = new Set([...READS, ...REPORTS, ...BEGINNINGS])

export function isSignIn(operation: string): boolean {
  return SIGN_INS.has(operation)
}
