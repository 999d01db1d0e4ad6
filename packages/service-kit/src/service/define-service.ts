import { listSessions } from '@nifty/api/auth/internal'
import { type ServiceName, type services, servicesCalledBy } from '@nifty/api/services'
import type { Kysely } from 'kysely'
import { openDatabase } from '../database/database.ts'
import { type App, createApp } from '../http/app.ts'
import { accountGuards, createAuthenticate, type Roles } from '../http/authentication.ts'
import { createServiceClient, type ServiceClient } from '../http/client.ts'
import { createInternalApp } from '../http/internal.ts'
import type { Guards } from '../http/routes.ts'
import { serviceCredential } from '../http/service-keys.ts'
import { type Sessions, watchSessions } from '../http/sessions.ts'
import {
  type DatabaseContext,
  prepareDatabase,
  type RunningService,
  runService,
  type ServiceComponents,
  type ServiceContext,
} from './service.ts'

type Entry<Name extends ServiceName> = Extract<(typeof services)[number], { name: Name }>

/** The services that `packages/api/src/services.ts` lists as called by this one. */
type Called<Name extends ServiceName> = Entry<Name>['calls'][number]

export type ServiceSetup<Name extends ServiceName, Config, Tables> = Pick<ServiceContext, 'log' | 'storeId'> & {
  config: Config
  /** Opens a pool past the pooler, for transactions that wait for other servers: they would keep its connections. */
  openPool: (maxConnections: number) => Kysely<Tables>
  /** Migrated, and shared by requests, consumers and workers. */
  db: Kysely<Tables>
  clients: Record<Called<Name>, ServiceClient>
}

export type ServiceDefinition<Name extends ServiceName, Config, Tables> = {
  name: Name
  /** Folder of numbered SQL files. */
  migrations: string
  readConfig: (env: NodeJS.ProcessEnv) => Config
  create: (setup: ServiceSetup<Name, Config, Tables>) => Promise<CreatedService> | CreatedService
}

type CreatedService = ServiceComponents & {
  /** Registers the public endpoints. */
  routes: (app: App) => void
  /** Registers the endpoints of the internal port. */
  internalRoutes?: (app: App) => void
  /** Checks of the roles that its endpoints declare as their access. */
  roles?: Roles
  /** In place of the guards that check tokens with auth's keys and its list of ended sessions. */
  guards?: (app: App) => Guards
}

export type Service<Config = any> = {
  name: ServiceName
  migrations: string
  readConfig: (env: NodeJS.ProcessEnv) => Config
  /** The database that `start` opens where the context has none: created, checked and migrated. */
  prepare: (context: DatabaseContext) => Promise<Kysely<any>>
  start: (context: ServiceContext, config: Config) => Promise<RunningService>
}

/** A service as one value: launchers start it, `runServiceProcess` runs it alone, tests start it with fake peers. */
export function defineService<Name extends ServiceName, Config, Tables>(
  definition: ServiceDefinition<Name, Config, Tables>,
): Service<Config> {
  const { name, migrations, readConfig, create } = definition

  const prepare = (context: DatabaseContext) => prepareDatabase<Tables>(context, migrations)

  async function start(context: ServiceContext, config: Config) {
    const { log, databaseUrl, storeId, keys, operators, tls } = context
    const clients = createClients(name, context)
    const db: Kysely<Tables> = context.db ?? (await prepare(context))
    const openPool = (maxConnections: number) => openDatabase<Tables>({ url: databaseUrl, log, maxConnections })
    const created = await create({ log, openPool, storeId, config, db, clients: clients as never })
    const { routes, internalRoutes, guards, roles, ...parts } = created

    const sessions = guards ? undefined : await readSessions(clients, context)
    const app = createApp({
      log,
      name,
      tls,
      rateLimitFactor: context.rateLimitFactor,
      guards: guards ?? guardsOf(sessions, roles),
    })
    routes(app)
    const internal = createInternalApp({ log, name, admitted: { callers: keys.callers, operators }, tls })
    internalRoutes?.(internal)

    return runService(context, {
      ...parts,
      name,
      db,
      app,
      internal,
      stop: async () => {
        await sessions?.stop()
        await parts.stop?.()
      },
    })
  }

  return { name, migrations, readConfig, prepare, start }
}

type Clients = Partial<Record<ServiceName, ServiceClient>>

function createClients(name: ServiceName, { peerUrls, keys, log }: ServiceContext): Clients {
  return Object.fromEntries(
    servicesCalledBy(name).map((peer) => {
      const url = peerUrls[peer]
      const key = keys.calls[peer]
      if (!url || !key) throw new Error(`${name} calls ${peer}: its internal address or the key is missing`)
      return [peer, createServiceClient({ url, credential: serviceCredential(key), name: peer, log })]
    }),
  )
}

const readSessions = ({ auth }: Clients, { log }: ServiceContext) =>
  auth && watchSessions({ read: (since) => auth(listSessions, { query: { since } }), log })

/** A service that does not call auth has no endpoints for accounts. */
const guardsOf = (sessions: Sessions | undefined, roles?: Roles) => (app: App) =>
  sessions ? accountGuards(createAuthenticate(app, sessions), roles) : {}
