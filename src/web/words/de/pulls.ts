export * from '../en/pulls.ts'
