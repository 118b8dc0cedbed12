export * from '../en/explore.ts'
