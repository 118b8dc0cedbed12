export * from '../en/change.ts'
