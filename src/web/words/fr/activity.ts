export * from '../en/activity.ts'
