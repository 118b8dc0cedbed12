export * from '../en/own-settings.ts'
