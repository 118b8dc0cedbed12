export * from '../en/authorize.ts'
