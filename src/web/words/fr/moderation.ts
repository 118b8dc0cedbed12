export * from '../en/moderation.ts'
