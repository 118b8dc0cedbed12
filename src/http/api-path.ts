/** Where the REST interface begins. */
export const API = '/api/v1'
