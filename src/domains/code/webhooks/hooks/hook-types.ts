/** The kinds of receivers: programs that take our payload, and chats that take a message. */
export const PROGRAMS: readonly string[] = ['gitea', 'gogs']
export const CHATS = [
  'slack',
  'discord',
  'dingtalk',
  'telegram',
  'msteams',
  'feishu',
  'matrix',
  'wechatwork',
  'packagist',
] as const
export type Chat = (typeof CHATS)[number]

export function isHookType(type: string): boolean {
  return PROGRAMS.includes(type) || isChat(type)
}

export function isChat(type: string): type is Chat {
  return (CHATS as readonly string[]).includes(type)
}
