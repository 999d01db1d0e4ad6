import { Type } from 'typebox'

/** `UPLOADS_DIR`: folder of uploads, shared by replicas. Unset with `UPLOADS_URL`; both set: see `openObjects`. */
export const UploadsDir = Type.Optional(Type.String({ minLength: 1 }))

/** `UPLOADS_URL`: bucket of uploads. */
export const UploadsUrl = Type.Optional(Type.String({ pattern: '^s3://' }))

/** `prefix` is empty or ends with `/`. Without an endpoint it is AWS. */
export type Bucket = { name: string; prefix: string; region: string; endpoint?: string; pathStyle: boolean }

/** At least one of both. */
export type ObjectSettings = { folder?: string; bucket?: Bucket }

const parameters = new Set(['region', 'endpoint', 'pathStyle'])

/** Throws one sentence for settings that cannot be used, which has no part of an address that may be secret. */
export function objectSettingsOf(env: { UPLOADS_DIR?: string; UPLOADS_URL?: string }): ObjectSettings {
  const { UPLOADS_DIR: folder, UPLOADS_URL: url } = env
  if (!folder && !url) throw invalid('UPLOADS_DIR or UPLOADS_URL is required')
  return { folder, bucket: url ? bucketOf(url) : undefined }
}

function bucketOf(text: string): Bucket {
  const example = 'UPLOADS_URL must be like s3://bucket/prefix?region=eu-central-1 or s3://bucket?endpoint=https://host'
  const url = URL.parse(text)
  if (url?.protocol !== 's3:' || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.host)) throw invalid(example)
  if (url.username || url.password)
    throw invalid('UPLOADS_URL has no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
  const path = url.pathname.replace(/^\/|\/$/g, '')
  if (!/^([A-Za-z0-9_-][A-Za-z0-9._-]*(\/|$))*$/.test(path) || url.hash) throw invalid(example)
  for (const [name, value] of url.searchParams)
    if (!parameters.has(name) || value === '' || url.searchParams.getAll(name).length > 1) throw invalid(example)
  const endpoint = url.searchParams.get('endpoint') ?? undefined
  if (endpoint !== undefined && !/^https?:\/\/[^/?#@\s]+\/?$/.test(endpoint))
    throw invalid('The endpoint in UPLOADS_URL must be like https://host:port')
  const region = url.searchParams.get('region') ?? (endpoint === undefined ? undefined : 'us-east-1')
  if (region === undefined || !/^[a-z0-9-]+$/.test(region)) throw invalid(example)
  const pathStyle = url.searchParams.get('pathStyle') ?? String(endpoint !== undefined)
  if (!/^(true|false)$/.test(pathStyle)) throw invalid('pathStyle in UPLOADS_URL must be true or false')
  return { name: url.host, prefix: path && `${path}/`, region, endpoint, pathStyle: pathStyle === 'true' }
}

const invalid = (sentence: string) => new Error(`Invalid environment:\n  ${sentence}`)
