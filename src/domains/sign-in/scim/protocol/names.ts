/** Names of RFC 7643 and RFC 7644, and the limits of requests. */
export const SCIM_TYPE = 'application/scim+json;charset=utf-8'
export const BASE = '/scim/v2'

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'
export const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

/** Resources of one page. */
export const PAGE_MAX = 100
/** Groups of one page with their members. */
export const GROUPS_WITH_MEMBERS_MAX = 20
export const MEMBERS_MAX = 5_000
/** Members that one operation of a PATCH adds or removes. */
export const OPERATIONS_MAX = 100
export const BODY_BYTES_MAX = 1_000_000
export const BODY_VALUES_MAX = 50_000
export const TEXT_MAX = 255
export const EMAILS_MAX = 10
