/** Settings of mail. */
import { choice, integer, type Settings, secret, text } from '#platform/config'

declare module '#platform/config' {
  interface SettingsOf {
    mail: typeof SETTINGS
  }
}

export const SETTINGS = {
  'mail.host': text('', 'SMTP server that sends mail; empty to send none'),
  'mail.port': integer(587, [1, 65_535], 'port of the SMTP server'),
  'mail.tls': choice(
    ['starttls', 'implicit', 'none'],
    'starttls',
    'encryption of the connection to the SMTP server',
  ),
  'mail.user': text('', 'user name on the SMTP server; empty to send without signing in'),
  'mail.password': secret('', 'password on the SMTP server'),
  'mail.from': text('', 'address that mail is from (default: noreply at the host of http.url)'),
  'mail.timeout_ms': integer(30_000, [100, 600_000], 'timeout of sending one mail'),
  'mail.concurrency': integer(4, [1, 100], 'concurrent connections to the SMTP server per worker'),
} as const satisfies Settings
