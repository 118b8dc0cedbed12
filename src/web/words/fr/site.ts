export * from '../en/site.ts'
