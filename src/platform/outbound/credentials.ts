/** Credentials in a URL: not part of the address that is called, but sent to its host. */
export interface Credentials {
  readonly username: string
  readonly password: string
}

/** Removes them from the URL. */
export function takeCredentials(url: URL): Credentials {
  const credentials = { username: decoded(url.username), password: decoded(url.password) }
  url.username = ''
  url.password = ''
  return credentials
}

/** Text that is not valid percent-encoding is taken literally. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
