/** Endpoints of the gateway itself, and prefixes that it shares with the front end's build. */
import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'

/** Every path of a service below these prefixes; all other paths are documents and files of the front end. */
export const API_PREFIX = '/api/'
export const UPLOADS_PREFIX = '/uploads/'

/** The OpenAPI documents of all services, merged. */
export const getDocs = endpoint({ method: 'GET', path: '/api/docs', access: 'public', hidden: true })

/** Settings of the front end. */
export const getFrontEndConfig = endpoint({
  method: 'GET',
  path: '/config.json',
  access: 'public',
  hidden: true,
  response: Type.Record(Type.String(), Type.Unknown()),
})
