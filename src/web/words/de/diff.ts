export * from '../en/diff.ts'
