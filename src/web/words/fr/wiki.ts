export * from '../en/wiki.ts'
