/** What the timeline says of a push to a pull request. Compat: it is JSON in a text. */
export function pushedBody(isForced: boolean, commits: readonly string[]): string {
  return JSON.stringify({ is_force_push: isForced, commit_ids: commits })
}
