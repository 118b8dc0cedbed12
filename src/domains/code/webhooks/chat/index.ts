/** Formats a message for each chat service. Pure: a message in, the service's JSON out. */
import type { ChatLine } from '#slices'
import type { Chat } from '../hooks/hook-types.ts'
import type { HookSettings } from '../tables.ts'
import type { Message } from './message.ts'

export { messageOf } from './message.ts'

type Speak = (message: Message, settings: HookSettings) => object

export const SPEAK: Readonly<Record<Chat, Speak>> = {
  slack: (message, { channel = '', username = '', icon_url = '', color = '' }) => ({
    channel,
    text: slackLink(message.url, message.title),
    username,
    icon_url,
    unfurl_links: 0,
    link_names: 0,
    attachments: message.lines.map(({ label, url, text }) => ({
      fallback: escapeAngles(text),
      color: color || `#${message.color}`,
      title: label,
      title_link: url,
      text: escapeAngles(text),
    })),
  }),
  discord: (message) => ({
    username: '',
    avatar_url: '',
    // Text from a commit must not mention users of the chat.
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: message.title,
        description: message.lines.map(markdownLine).join('\n'),
        url: message.url,
        color: Number.parseInt(message.color, 16),
        author: { name: message.sender.name, url: message.sender.url, icon_url: message.sender.avatarUrl },
      },
    ],
  }),
  dingtalk: (message) => ({
    msgtype: 'actionCard',
    actionCard: {
      title: message.title,
      text: markdown(message),
      hideAvatar: '0',
      singleTitle: 'view',
      singleURL: message.url,
    },
  }),
  telegram: (message) => ({ text: html(message), parse_mode: 'HTML', disable_web_page_preview: true }),
  msteams: (message) => ({
    '@type': 'MessageCard',
    '@context': 'https://schema.org/extensions',
    themeColor: message.color,
    title: message.title,
    summary: message.title,
    sections: [
      {
        activityTitle: message.sender.name,
        activitySubtitle: message.sender.url,
        activityImage: message.sender.avatarUrl,
        text: message.lines.map(markdownLine).join('\n\n'),
      },
    ],
    potentialAction: [{ '@type': 'OpenUri', name: 'View', targets: [{ os: 'default', uri: message.url }] }],
  }),
  feishu: (message) => ({ msg_type: 'text', content: { text: plain(message) } }),
  matrix: (message) => ({
    msgtype: 'm.notice',
    body: plain(message),
    format: 'org.matrix.custom.html',
    formatted_body: html(message).replaceAll('\n', '<br>'),
  }),
  wechatwork: (message) => ({ msgtype: 'markdown', markdown: { content: markdown(message) } }),
  packagist: (message) => ({ repository: { url: message.url } }),
}

function plain({ title, url, lines }: Message): string {
  return [title, url, ...lines.map((line) => `${line.label}: ${line.text}`)].join('\n')
}

function markdown({ title, url, lines }: Message): string {
  return [`[${escapeMarkdown(title)}](${url})`, ...lines.map(markdownLine)].join('\n\n')
}

function markdownLine({ label, url, text }: ChatLine): string {
  return `[${label}](${url}) ${escapeMarkdown(text)}`
}

function html({ title, url, lines }: Message): string {
  const link = (address: string, text: string) =>
    `<a href="${escapeAngles(address)}">${escapeAngles(text)}</a>`
  const rest = lines.map((line) => `${link(line.url, line.label)} ${escapeAngles(line.text)}`)
  return [link(url, title), ...rest].join('\n')
}

function slackLink(url: string, text: string): string {
  return `<${url}|${escapeAngles(text)}>`
}

function escapeAngles(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>~|]/g, '\\$&')
}
