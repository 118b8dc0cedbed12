/** Texts of comments, reactions and drafts. */
import * as de from './de/conversation.ts'
import * as en from './en/conversation.ts'
import * as fr from './fr/conversation.ts'
import { spoken } from './spoken.ts'

export const { conversationWords } = spoken({ en, de, fr })
