/** An SMTP server that cannot be used, in words that name its settings. */
import type { Config } from '#platform/config'
import { OperatorError } from '#platform/operator-error'

/** For `catch`. */
export function mailRefused(config: Config): (error: Error) => never {
  const server = `${config['mail.host']}:${config['mail.port']}`
  return (error) => {
    const { responseCode } = error as Error & { responseCode?: number }
    const setting = responseCode === 535 ? 'mail.user and mail.password' : 'mail.host, mail.port and mail.tls'
    throw new OperatorError(`${server} cannot be used: ${error.message}; correct ${setting}`, {
      cause: error,
    })
  }
}
