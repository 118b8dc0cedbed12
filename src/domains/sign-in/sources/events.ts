/** Events of sources. */
declare module '#events' {
  interface Events {
    /** A person at an OpenID provider has an account from now on. */
    'identity.linked': LinkedIdentity
  }
}

export interface LinkedIdentity {
  readonly issuer: string
  readonly subject: string
}
