import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { serviceNames } from '@nifty/api/services'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Manifest, named, ofKind, render } from './chart.ts'
import { podsOf } from './rules.ts'
import { schemaErrors } from './schemas.ts'
import { findTools } from './tools.ts'

const tools = await findTools()
const components = ['gateway', ...serviceNames]

const renderWith = (values: object) => render(tools!, { size: 'medium', values })

/** Files of the volumes of a pod, as `<folder>/<file>` by Secret. */
function filesOf(pod: any): Record<string, string[]> {
  const volumes = (pod.volumes ?? []).filter(({ secret }: any) => secret)
  return Object.fromEntries(
    volumes.map(({ name, secret }: any) => {
      const { mountPath } = pod.containers[0].volumeMounts.find((mount: any) => mount.name === name)
      return [secret.secretName, secret.items.map(({ path }: any) => `${mountPath}/${path}`)]
    }),
  )
}

const urlsOf = (manifests: Manifest[]) => [
  ...ofKind(manifests, 'ConfigMap').flatMap(({ data }) => Object.entries<string>(data)),
  ...podsOf(manifests).flatMap(({ spec }) =>
    spec.containers.flatMap(({ env = [] }: any) => env.map(({ name, value }: any) => [name, value])),
  ),
]
const podUrl = /^(AUTH|CATALOG|PAYMENTS|MINTING|NOTIFICATION)_(INTERNAL_)?URL$/

const run = promisify(execFile)

/** A self-signed certificate for `localhost`, as the files `<name>.crt` and `<name>.key`. */
async function certificateIn(folder: string, name: string) {
  const [key, crt] = [join(folder, `${name}.key`), join(folder, `${name}.crt`)]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  await run('openssl', ['req', '-x509', ...ec, '-keyout', key, '-out', crt, '-days', '2', ...subject])
  return { key: readFileSync(key), cert: readFileSync(crt) }
}

describe.skipIf(!tools)('a private authority', () => {
  test.each([{ secretName: 'authority' }, { configMapName: 'authority' }])(
    'is trusted by every container: %j',
    async (from) => {
      const manifests = await renderWith({ privateAuthority: from })
      expect(await schemaErrors(tools!, manifests)).toEqual([])
      const items = [{ key: 'ca.crt', path: 'ca.crt' }]
      const volume =
        'secretName' in from ? { secret: { ...from, items } } : { configMap: { name: from.configMapName, items } }
      for (const { owner, spec } of podsOf(manifests)) {
        expect(spec.volumes, named(owner)).toContainEqual({ name: 'tls-private', ...volume })
        for (const { env, volumeMounts } of [...(spec.initContainers ?? []), ...spec.containers]) {
          expect(env).toContainEqual({ name: 'NODE_EXTRA_CA_CERTS', value: '/tls/private/ca.crt' })
          expect(volumeMounts).toContainEqual({ name: 'tls-private', mountPath: '/tls/private', readOnly: true })
        }
      }
    },
  )

  test('is trusted by Node beside that of the pods', async () => {
    const manifests = await renderWith({ privateAuthority: { secretName: 'authority' } })
    const { spec } = ofKind(manifests, 'Deployment').find(({ metadata }) => metadata.name === 'nifty-catalog')!
    const folder = await temporaryFolder('authorities')
    const files = { '/tls/pod/ca.crt': 'pod', '/tls/private/ca.crt': 'private', nowhere: 'stranger' }
    const trusted = spec.template.spec.containers[0].env.flatMap(({ name, value }: any) =>
      value in files || name === 'NODE_USE_SYSTEM_CA'
        ? [[name, value in files ? join(folder, `${files[value as keyof typeof files]}.crt`) : value]]
        : [],
    )
    const certificates = Object.values(files).map(async (name) => [name, await certificateIn(folder, name)] as const)
    const statuses = (await Promise.all(certificates)).map(async ([name, certificate]) => {
      const server = createServer(certificate, (_request, response) => response.end())
      await new Promise<void>((listening) => server.listen(0, listening))
      onTestFinished(() => void server.close())
      const address = `https://localhost:${(server.address() as { port: number }).port}`
      const script = `fetch('${address}').then(({ status }) => console.log(status), ({ cause }) => console.log(cause.code))`
      return [name, (await run(process.execPath, ['-e', script], { env: Object.fromEntries(trusted) })).stdout.trim()]
    })
    expect(Object.fromEntries(await Promise.all(statuses))).toEqual({
      pod: '200',
      private: '200',
      stranger: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    })
  })
})

describe.skipIf(!tools)('TLS between pods', () => {
  test('is refused without certificates, in one sentence that names the three choices', async () => {
    const refusal = await renderWith({ tls: { issuerName: '' } }).catch((error: Error) => error.message)
    expect(refusal).toMatch(
      /TLS between pods needs tls\.issuerName .* tls\.existingSecrets: true .* tls\.enabled: false/,
    )
    await expect(renderWith({ tls: { existingSecrets: true } })).rejects.toThrow(
      /certificates are of cert-manager or yours/,
    )
  })

  test('is off where it is written out: no address, probe or volume names it', async () => {
    const manifests = await renderWith({ tls: { enabled: false } })
    const urls = urlsOf(manifests).filter(([name]) => podUrl.test(name))
    expect(urls.length).toBeGreaterThan(10)
    for (const [, url] of urls) expect(url).toMatch(/^http:/)
    expect(JSON.stringify(manifests)).not.toMatch(/\/tls\/pod|HTTPS|Certificate"/)
  })

  test('is used by every address, probe and monitor', async () => {
    const manifests = await renderWith({})
    const urls = urlsOf(manifests).filter(([name]) => podUrl.test(name))
    for (const [, url] of urls) expect(url).toMatch(/^https:/)
    for (const { spec } of ofKind(manifests, 'Deployment')) {
      const [container] = spec.template.spec.containers
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
        expect(container[probe].httpGet.scheme).toBe('HTTPS')
    }
    for (const { metadata, spec } of ofKind(manifests, 'ServiceMonitor'))
      expect(spec.endpoints[0]).toMatchObject({ scheme: 'https', tlsConfig: { serverName: metadata.name } })
    for (const { metadata } of ofKind(manifests, 'Ingress'))
      expect(metadata.annotations).toMatchObject({
        'nginx.ingress.kubernetes.io/backend-protocol': 'HTTPS',
        'nginx.ingress.kubernetes.io/proxy-ssl-verify': 'on',
        'nginx.ingress.kubernetes.io/proxy-ssl-name': 'nifty-gateway',
      })
  })

  test('gives each pod its own key only, and everyone who calls pods their authority', async () => {
    const manifests = await renderWith({})
    for (const component of components) {
      const { spec } = ofKind(manifests, 'Deployment').find(({ metadata }) => metadata.name === `nifty-${component}`)!
      const ofPods = Object.entries(filesOf(spec.template.spec)).filter(([, [file]]) => file!.startsWith('/tls/pod/'))
      expect(ofPods).toEqual([[`nifty-${component}-tls`, ['/tls/pod/tls.crt', '/tls/pod/tls.key', '/tls/pod/ca.crt']]])
      expect(spec.template.spec.containers[0].env).toContainEqual({
        name: 'NODE_EXTRA_CA_CERTS',
        value: '/tls/pod/ca.crt',
      })
    }
    const [tool] = podsOf(manifests).filter(({ owner }) => owner.metadata.name === 'nifty-ops')
    expect(filesOf(tool!.spec)).toEqual({ 'nifty-gateway-tls': ['/tls/pod/ca.crt'] })
    expect(tool!.spec.containers[0].env).toContainEqual({ name: 'NODE_EXTRA_CA_CERTS', value: '/tls/pod/ca.crt' })
  })

  test('has a certificate for the name by which a component is called, unless the operator makes the Secrets', async () => {
    const certificates = ofKind(await renderWith({}), 'Certificate')
    expect(certificates.map(({ spec }) => [spec.secretName, spec.dnsNames[0]]).sort()).toEqual(
      components.map((component) => [`nifty-${component}-tls`, `nifty-${component}`]).sort(),
    )
    // The tool runs on an operator's machine too, by `kubectl port-forward`.
    for (const { spec } of certificates) expect(spec.dnsNames).toContain('localhost')
    const own = { issuerName: '', existingSecrets: true }
    expect(ofKind(await renderWith({ tls: own }), 'Certificate')).toEqual([])
  })
})
