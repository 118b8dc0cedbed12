/**
 * Instance: what a client may know about the installation itself.
 *
 * Serves  /version, /settings/*
 */
export { instanceRoutes } from './routes.ts'
