import { join } from 'node:path'
import { accountGuards, createAuthenticate } from '@nifty/service-kit/http/authentication'
import { watchSessions } from '@nifty/service-kit/http/sessions'
import { createImageProcess } from '@nifty/service-kit/images/image-process'
import { workersOf } from '@nifty/service-kit/jobs/jobs'
import { objectsCollector } from '@nifty/service-kit/objects/objects-collector'
import { openObjects } from '@nifty/service-kit/objects/open-objects'
import { defineService, type ServiceSetup } from '@nifty/service-kit/service/define-service'
import { changeAccount } from './accounts/account.actions.ts'
import { accountInternalRoutes } from './accounts/account.internal.routes.ts'
import { accountRoutes } from './accounts/account.routes.ts'
import { updateAccount } from './accounts/account.store.ts'
import { openBidInternalRoutes } from './accounts/open-bid.internal.routes.ts'
import { applicationRoutes } from './applications/application.routes.ts'
import { type Config, readConfig } from './config.ts'
import { createSubscriptions } from './consumers.ts'
import type { Database } from './db.ts'
import type { Deps } from './deps.ts'
import { emailRoutes } from './emails/email.routes.ts'
import { signUpRoutes } from './emails/sign-up.routes.ts'
import { freezeRoutes } from './freezes/freeze.routes.ts'
import type { AuthImageJobs } from './image-process.main.ts'
import { jobs } from './jobs.ts'
import { loginRoutes } from './logins/login.routes.ts'
import { passkeyLoginRoutes } from './logins/passkey-login.routes.ts'
import { createCollectors } from './metrics.ts'
import { correctionRoutes } from './operators/correction.routes.ts'
import { operatorRoutes } from './operators/operator.routes.ts'
import { ownDataOpsRoutes, ownDataRoutes } from './own-data/own-data.routes.ts'
import { passkeyRoutes } from './passkeys/passkey.routes.ts'
import { createHasher } from './passwords/password.hash.ts'
import { passwordRoutes } from './passwords/password.routes.ts'
import { resetRoutes } from './passwords/reset.routes.ts'
import { createPictures } from './pictures/picture.actions.ts'
import { createPictureFiles } from './pictures/picture.files.ts'
import { pictureRoutes } from './pictures/picture.routes.ts'
import { avatarSuffixes, coverSuffixes } from './pictures/picture.ts'
import { profileRoutes } from './profiles/profile.routes.ts'
import { secondFactorRoutes } from './second-factors/second-factor.routes.ts'
import { securityEventRoutes } from './security-events/security-event.routes.ts'
import { requireActiveSession } from './sessions/session.guard.ts'
import { sessionInternalRoutes } from './sessions/session.internal.routes.ts'
import { createSigningKeys } from './sessions/session.keys.ts'
import { sessionRoutes } from './sessions/session.routes.ts'
import { listEndedSessions } from './sessions/session.store.ts'
import { statisticsRoutes } from './statistics/statistics.routes.ts'
import { stepUpRoutes } from './step-up/step-up.routes.ts'
import { openContractWallets } from './wallets/contract-wallet.ts'
import { walletRoutes } from './wallets/wallet.routes.ts'

const publicRoutes = [
  signUpRoutes,
  accountRoutes,
  loginRoutes,
  sessionRoutes,
  profileRoutes,
  passwordRoutes,
  resetRoutes,
  emailRoutes,
  walletRoutes,
  stepUpRoutes,
  secondFactorRoutes,
  freezeRoutes,
  pictureRoutes,
  securityEventRoutes,
  ownDataRoutes,
  applicationRoutes,
  passkeyRoutes,
  passkeyLoginRoutes,
]

/** Uploads that wait to be encoded, and of one account. */
const imageQueue = { maxWaiting: 20, maxWaitingPerAccount: 2 }

const imageProgram = join(import.meta.dirname, 'image-process.main.ts')

const internalRoutes = [
  sessionInternalRoutes,
  accountInternalRoutes,
  openBidInternalRoutes,
  operatorRoutes,
  correctionRoutes,
  ownDataOpsRoutes,
  statisticsRoutes,
]

export const auth = defineService({
  name: 'auth',
  migrations: join(import.meta.dirname, '../migrations'),
  readConfig,
  create: async ({ db, log, config }: ServiceSetup<'auth', Config, Database>) => {
    const keys = createSigningKeys(config)
    const hasher = createHasher()
    const avatarObjects = await openObjects(config.uploads, 'avatars', log)
    const coverObjects = await openObjects(config.uploads, 'covers', log)
    const imageProcess = createImageProcess<AuthImageJobs>({ program: imageProgram, log, ...imageQueue })
    const avatars = createPictures({
      db,
      log,
      kind: 'avatar',
      files: createPictureFiles(avatarObjects, avatarSuffixes),
      encode: (account, bytes) => imageProcess.run({ account }, 'encodeAvatar', bytes),
      save: changeAccount,
      perHour: config.limits.avatarsPerHour,
    })
    const covers = createPictures({
      db,
      log,
      kind: 'cover',
      files: createPictureFiles(coverObjects, coverSuffixes),
      encode: (account, bytes) => imageProcess.run({ account }, 'encodeCover', bytes),
      save: updateAccount,
      perHour: config.limits.coversPerHour,
    })

    const read = async (since?: string) => ({ keys: keys.keys, ...(await listEndedSessions(db, since)) })
    const sessions = await watchSessions({ read, log })
    const sessionsEnded = () =>
      sessions.refresh().catch((err) => log.warn({ err }, 'sessions: reload of ended sessions failed, retrying in 2 s'))
    const { chainRpcUrl: rpcUrl, chainId } = config
    const contractWallets = rpcUrl ? openContractWallets({ rpcUrl, chainId, log }) : undefined
    const deps: Deps = { db, log, config, keys, hasher, avatars, covers, contractWallets, sessionsEnded }

    return {
      guards: (app) => accountGuards(requireActiveSession(createAuthenticate(app, sessions), db)),
      routes: (app) => {
        for (const routes of publicRoutes) app.register(routes, deps)
      },
      internalRoutes: (app) => {
        for (const routes of internalRoutes) app.register(routes, deps)
      },
      subscriptions: createSubscriptions(config),
      workers: workersOf(jobs, deps),
      collectors: [...createCollectors(db, config), objectsCollector(avatarObjects)],
      stop: async () => {
        imageProcess.stop()
        for (const pictures of [avatars, covers]) pictures.close()
        await contractWallets?.stop()
        await sessions.stop()
      },
    }
  },
})
