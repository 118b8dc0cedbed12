/** Events of accounts. */
declare module '#events' {
  interface Events {
    /** A user is being deleted: handlers remove their ties to others, with or without a purge. */
    'user.leaving': UserEvent
    /** A user is being purged: handlers remove them from their organizations. */
    'user.purging': UserEvent
    /** Password or primary email changed: reset links and unfinished sign-ins become invalid. */
    'account.credentials_changed': { readonly account_id: number }
    /** An administrator ended all its sessions and tokens. */
    'account.access_ended': { readonly account_id: number; readonly actor_id: number }
    /** An administrator has prohibited the user from signing in, whatever others say. */
    'account.prohibited': { readonly account_id: number }
    /** New addresses that are not yet confirmed. */
    'email.added': { readonly account_id: number; readonly email_ids: readonly number[] }
    /** Handlers remove the ties between the two accounts. */
    'account.blocked': { readonly blocker_id: number; readonly blocked_id: number }
    /** An account is being deleted with everything that it owns. */
    'account.purging': { readonly account_id: number; readonly actor_id: number }
    /** The last step of a deletion. A handler that must not lose its data of the account refuses it. */
    'account.forgotten': { readonly account_id: number }
  }
}

export interface UserEvent {
  readonly user_id: number
  readonly actor_id: number
}
