export * from '../en/contribute.ts'
