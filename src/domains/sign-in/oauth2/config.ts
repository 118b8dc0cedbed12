/** Settings of OAuth2. */
import { integer, list, type Settings } from '#platform/config'

declare module '#platform/config' {
  interface SettingsOf {
    oauth2: typeof SETTINGS
  }
}

export const SETTINGS = {
  'oauth2.access_token_s': integer(
    3_600,
    [60, 86_400],
    'time after which access tokens and ID tokens of OAuth2 applications end',
  ),
  'oauth2.refresh_token_s': integer(
    30 * 86_400,
    [60, 400 * 86_400],
    'time after which an unused refresh token of an OAuth2 application ends',
  ),
  'oauth2.key_rotation_s': integer(
    90 * 86_400,
    [86_400, 400 * 86_400],
    'time after which a new key signs ID tokens',
  ),
  'oauth2.built_in_applications': list(
    ['git-credential-oauth', 'Git Credential Manager', 'tea'],
    'OAuth2 applications of the forge itself that people may use',
  ),
} as const satisfies Settings
