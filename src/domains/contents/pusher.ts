/** Who moves refs. */
import type { DeployKey } from '#domains/keys'
import type { SignedIn } from '#platform/rest'

/** Somebody signed in, or a deploy key, which is nobody but itself. */
export type Pusher = SignedIn | DeployKey

export function isDeployKey(pusher: Pusher): pusher is DeployKey {
  return 'repository_id' in pusher
}
