/** What happened, in a sentence and a few lines, for people in a chat. Pure: a payload in, a message out. */
import type { ChatLine, WebhookPayload } from '#slices'

export interface Message {
  /** Plain words, one line. */
  readonly title: string
  readonly url: string
  readonly lines: readonly ChatLine[]
  readonly sender: { readonly name: string; readonly url: string; readonly avatarUrl: string }
  /** Six digits. */
  readonly color: string
}

/** What payloads have in common. */
interface Told {
  readonly repository?: { full_name: string; html_url: string }
  readonly sender?: { login: string; html_url: string; avatar_url: string } | null
}

const COLORS = { green: '1ac600', grey: '777777', red: 'ff3232' }

/** A kind that has no words of its own is told by its name. */
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
