/** What happened, in a sentence and a few lines, for people in a chat. Pure: a payload in, a message out. */
export interface Message {
  /** Plain words, one line. */
  readonly title: string
  readonly url: string
  readonly lines: readonly Line[]
  readonly sender: { readonly name: string; readonly url: string; readonly avatarUrl: string }
  readonly color: string
}

/** Something to click on, and what to say about it. */
export interface Line {
  readonly label: string
  readonly url: string
  readonly text: string
}

interface Told {
  readonly ref?: string
  readonly ref_type?: string
  readonly action?: string
  readonly compare_url?: string
  readonly total_commits?: number
  readonly commits?: readonly { id: string; url: string; message: string; author: { name: string } }[]
  readonly repository?: { full_name: string; html_url: string }
  readonly forkee?: { full_name: string; html_url: string }
  readonly sender?: { login: string; html_url: string; avatar_url: string } | null
}

const GREEN = '1ac600'
const GREY = '777777'
const RED = 'ff3232'
const ID_DIGITS = 7

/** A kind that has no words of its own is told by its name. */
export function messageOf(type: string, body: string): Message {
  const told = JSON.parse(body) as Told
  const described = DESCRIPTIONS[type]?.(told)
  const { title, url, lines, color }: Description = described ?? { title: `[${nameOf(told)}] ${type}` }
  const { sender } = told
  return {
    title,
    url: url ?? told.repository?.html_url ?? '',
    lines: lines ?? [],
    sender: {
      name: sender?.login ?? '',
      url: sender?.html_url ?? '',
      avatarUrl: sender?.avatar_url ?? '',
    },
    color: color ?? GREY,
  }
}

type Description = Pick<Message, 'title'> & Partial<Message>

const DESCRIPTIONS: Readonly<Record<string, (told: Told) => Description>> = {
  push: (told) => ({
    title: `[${nameOf(told)}:${shortRef(told)}] ${countOf(told)} by ${told.sender?.login ?? ''}`,
    url: told.compare_url ?? '',
    color: GREEN,
    lines: (told.commits ?? []).map(({ id, url, message, author }) => ({
      label: id.slice(0, ID_DIGITS),
      url,
      text: `${firstLine(message)} - ${author.name}`,
    })),
  }),
  create: (told) => ({
    title: `[${nameOf(told)}] ${told.ref_type} ${told.ref} created`,
    color: GREEN,
  }),
  delete: (told) => ({ title: `[${nameOf(told)}] ${told.ref_type} ${told.ref} deleted`, color: RED }),
  fork: (told) => ({
    title: `${told.forkee?.full_name ?? ''} is forked to ${nameOf(told)}`,
    color: GREEN,
  }),
  repository: (told) => ({
    title: `[${nameOf(told)}] Repository ${told.action}`,
    color: told.action === 'deleted' ? RED : GREEN,
  }),
}

function nameOf(told: Told): string {
  return told.repository?.full_name ?? ''
}

function shortRef({ ref = '' }: Told): string {
  return ref.replace(/^refs\/(heads|tags)\//, '')
}

function countOf({ total_commits = 0 }: Told): string {
  return `${total_commits} new commit${total_commits === 1 ? '' : 's'} pushed`
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}
