/** A name and a password in front of a host: no part of an address that is called, but meant for whoever is there. */
export interface Credentials {
  readonly username: string
  readonly password: string
}

/** Takes them out of the address. */
export function takeCredentials(url: URL): Credentials {
  const credentials = { username: decoded(url.username), password: decoded(url.password) }
  url.username = ''
  url.password = ''
  return credentials
}

/** What is not well encoded is meant as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
