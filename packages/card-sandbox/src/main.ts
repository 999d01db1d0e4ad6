import { pino } from 'pino'
import { startProcessor } from './server.ts'

const { HOST, PORT = '0', HOME_DIR = '.nifty/processor', PUBLIC_URL } = process.env
const { WEBHOOK_URL, WEBHOOK_SECRET, SECRET_KEY } = process.env

if (!WEBHOOK_SECRET || !SECRET_KEY) throw new Error('WEBHOOK_SECRET and SECRET_KEY must be set')

const { url, stop } = await startProcessor({
  port: Number(PORT),
  host: HOST,
  home: HOME_DIR,
  publicUrl: PUBLIC_URL,
  webhook: { url: WEBHOOK_URL, secret: WEBHOOK_SECRET.split(',') },
  secretKey: SECRET_KEY,
  log: pino({ name: 'processor' }),
})
const end = () => stop().then(() => process.exit(0))
process.once('SIGTERM', end)
process.once('SIGINT', end)
process.once('disconnect', end)

// Whoever hears this may stop it at once.
process.send?.({ url })
