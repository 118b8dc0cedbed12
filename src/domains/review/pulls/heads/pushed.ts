/** Body of the timeline entry for a push to a pull request. Compat: JSON in a text field. */
export function pushedBody(isForced: boolean, commits: readonly string[]): string {
  return JSON.stringify({ is_force_push: isForced, commit_ids: commits })
}
