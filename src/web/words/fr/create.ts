export * from '../en/create.ts'
