export * from '../en/feed.ts'
