/** The table of drafts. */
declare module '#platform/db' {
  interface Tables {
    draft: DraftTable
  }
}

interface DraftTable {
  account_id: number
  place: string
  text: string
  updated_at: Date
}
