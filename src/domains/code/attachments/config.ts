/** Settings of attachments. */
import { integer, list, type Settings } from '#platform/config'

declare module '#platform/config' {
  interface SettingsOf {
    attachments: typeof SETTINGS
  }
}

/** File types that browsers and editors produce, display or unpack. */
const TYPES =
  '.avif,.cpuprofile,.csv,.dmp,.docx,.fodg,.fodp,.fods,.fodt,.gif,.gz,.jpeg,.jpg,.json,.jsonc,.log,.md,.mov,.mp4,' +
  '.odf,.odg,.odp,.ods,.odt,.patch,.pdf,.png,.pptx,.svg,.tgz,.txt,.webm,.webp,.xls,.xlsx,.zip'

export const SETTINGS = {
  'attachments.types': list(
    TYPES.split(','),
    'file extensions that may be attached to issues and comments; empty for any',
  ),
  'attachments.bytes_max': integer(
    104_857_600,
    [1_024, 1_099_511_627_776],
    'largest file that is attached to an issue or comment',
  ),
} as const satisfies Settings
