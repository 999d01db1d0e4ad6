import { startFauxqs } from 'fauxqs'

/** An S3 server of the npm package `fauxqs`: port, folder and bucket are arguments. */
const [port, s3StorageDir, bucket] = process.argv.slice(2)
await startFauxqs({ port: Number(port), s3StorageDir, init: { buckets: [bucket!] }, logger: false })
