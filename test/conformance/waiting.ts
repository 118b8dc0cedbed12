/** The scenarios that are held, and the steps of each that wait for something that is not there yet. */
type Waits = Readonly<Record<string, string>>

export const WAITING: Readonly<Record<string, Waits>> = {
  'admin-cron': {},
}
