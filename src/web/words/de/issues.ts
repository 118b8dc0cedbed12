export * from '../en/issues.ts'
