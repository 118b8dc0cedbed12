export * from '../en/conflicts.ts'
