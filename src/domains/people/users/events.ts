/** What is told about accounts. */
declare module '#events' {
  interface Events {
    /** Somebody is being deleted: what ties them to others goes, whether or not they keep anything. */
    'user.leaving': UserEvent
    /** With all that is theirs: whoever keeps them lets them go. */
    'user.purging': UserEvent
    /** Password or primary address are others now: links and half-finished sign-ins that relied on them end. */
    'account.credentials_changed': { readonly account_id: number }
    /** Further addresses that do not count yet. */
    'email.added': { readonly account_id: number; readonly email_ids: readonly number[] }
    /** What ties the two to each other goes. */
    'account.blocked': { readonly blocker_id: number; readonly blocked_id: number }
    /** An account goes with everything that it owns. */
    'account.purging': { readonly account_id: number; readonly actor_id: number }
    /** The last step of a deletion: whoever keeps something of the account that is not to be lost refuses it. */
    'account.forgotten': { readonly account_id: number }
  }
}

export interface UserEvent {
  readonly user_id: number
  readonly actor_id: number
}
