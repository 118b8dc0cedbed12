/** Summarizes a payload as a title and a few lines, for chats. Pure. */
import type { ChatLine, WebhookPayload } from '#slices'

export interface Message {
  /** Plain text, one line. */
  readonly title: string
  readonly url: string
  readonly lines: readonly ChatLine[]
  readonly sender: { readonly name: string; readonly url: string; readonly avatarUrl: string }
  /** Six hexadecimal digits. */
  readonly color: string
}

/** The common fields of payloads. */
interface Told {
  readonly repository?: { full_name: string; html_url: string }
  readonly sender?: { login: string; html_url: string; avatar_url: string } | null
}

const COLORS = { green: '1ac600', grey: '777777', red: 'ff3232' }

/** A payload without its own description is titled with its type. */
export function messageOf(type: string, body: string, describe: WebhookPayload['describe']): Message {
  const content: object = JSON.parse(body)
  const { repository, sender }: Told = content
  const { title, url, lines, color } = describe?.(content) ?? {
    title: `[${repository?.full_name ?? ''}] ${type}`,
  }
  return {
    title,
    url: url ?? repository?.html_url ?? '',
    lines: lines ?? [],
    sender: {
      name: sender?.login ?? '',
      url: sender?.html_url ?? '',
      avatarUrl: sender?.avatar_url ?? '',
    },
    color: COLORS[color ?? 'grey'],
  }
}
