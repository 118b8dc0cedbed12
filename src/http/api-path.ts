/** Base path of the REST API. */
export const API = '/api/v1'
