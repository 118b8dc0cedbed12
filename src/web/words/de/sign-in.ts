export * from '../en/sign-in.ts'
