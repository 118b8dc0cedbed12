export * from '../en/branches.ts'
