/**
 * Runners: the machines that carry jobs out. How they register and are administered, and the protocol they speak.
 */
import { defineSlice } from '#slices'

export const slice = defineSlice({
  name: 'runners',
  tables: ['action_runner', 'action_runner_token'],
})
