export * from '../en/packages.ts'
