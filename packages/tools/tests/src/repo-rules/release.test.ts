import { spawnSync } from 'node:child_process'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from './tree.ts'

const read = (file: string) => readFile(join(root, file), 'utf8')
const chart = await read('deploy/helm/Chart.yaml')
const { version } = JSON.parse(await read('package.json'))

/** What a release of this tag compares: a copy of the files that name a version, some of them changed. */
async function release(tag: string, changed: Record<string, string> = {}) {
  const folder = await temporaryFolder('release')
  await mkdir(join(folder, 'deploy/helm'), { recursive: true })
  for (const file of ['package.json', 'deploy/helm/Chart.yaml']) await cp(join(root, file), join(folder, file))
  // Until its tag, a version's notes are those of what is not released.
  const changelog = await read('CHANGELOG.md')
  const isDated = changelog.includes(`## [${version}]`)
  const dated = isDated ? changelog : changelog.replace('## [Unreleased]', `## [${version}] - 2026-12-01`)
  await writeFile(join(folder, 'CHANGELOG.md'), dated)
  for (const [file, text] of Object.entries(changed)) await writeFile(join(folder, file), text)
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, '.ci/release.ts'), tag], {
    cwd: folder,
    encoding: 'utf8',
  })
  const notes = await readFile(join(folder, 'release-notes.txt'), 'utf8').catch(() => undefined)
  return { status, stdout, stderr, notes }
}

test('package.json, chart and changelog name one version, which is that of the tag without v', async () => {
  expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  expect(await release(`v${version}`)).toMatchObject({
    status: 0,
    stdout: `${version}\n`,
    stderr: '',
    notes: expect.stringContaining('### For operators'),
  })
})

test('the notes of a release are its part of the changelog', async () => {
  const changelog = `# Changelog\n\n## [Unreleased]\n\n- New.\n\n## [${version}] - 2026-12-01\n\n- All.\n\n## [0.9.0]\n\n- Old.\n`
  expect((await release(`v${version}`, { 'CHANGELOG.md': changelog })).notes).toBe('- All.\n')
})

test.each([version, `release-${version}`, 'v1', `v${version} `])('the tag "%s" is refused', async (tag) => {
  const { status, stdout, stderr } = await release(tag)
  expect({ status, stdout, stderr }).toMatchObject({ status: 1, stdout: '' })
  expect(stderr).toContain('is not v and a version')
})

test.each([
  ['package.json', JSON.stringify({ version: '9.9.9' }), 'package.json is 9.9.9'],
  ['package.json', '{}', 'package.json is undefined'],
  ['deploy/helm/Chart.yaml', chart.replace(/^version: .*/m, 'version: 9.9.9'), 'version of the chart is 9.9.9'],
  [
    'deploy/helm/Chart.yaml',
    chart.replace(/^appVersion: .*/m, 'appVersion: "9.9.9"'),
    'appVersion of the chart is 9.9.9',
  ],
  ['CHANGELOG.md', '## [Unreleased]\n\n- All.\n', 'CHANGELOG.md has nothing'],
])('a release is refused where %s has something else', async (file, text, problem) => {
  const { status, stderr, notes } = await release(`v${version}`, { [file]: text })
  expect({ status, notes }).toEqual({ status: 1, notes: undefined })
  expect(stderr).toContain(problem)
})

test('images are pushed under the version that chart and compose file take, after the comparison of the versions', async () => {
  const { version: first, build, images, chart: job } = parse(await read('.github/workflows/release.yml')).jobs
  expect(await read('deploy/helm/templates/_names.tpl')).toMatch(/default \S*AppVersion/)
  expect(await read('deploy/compose.shop.yaml')).toMatch(/IMAGE and TAG of a release \(`[^`]+`, `\d+\.\d+\.\d+`\)/)
  for (const { env } of [build, images, job]) expect(env.VERSION).toContain(' needs.version.outputs.version ')
  const commands = (steps: { run?: string }[]) => steps.map(({ run = '' }) => run).join('\n')
  expect(commands(first.steps)).toContain('node .ci/release.ts "$GITHUB_REF_NAME"')
  expect(commands(build.steps)).toContain('/$COMPONENT:$VERSION-$ARCHITECTURE"')
  expect(commands(images.steps)).toContain('--tag "$name:$VERSION" "$name:$VERSION-amd64" "$name:$VERSION-arm64"')
  expect(build.strategy.matrix.platform.map(({ name }: { name: string }) => name)).toEqual([
    'linux/amd64',
    'linux/arm64',
  ])
  expect([build.needs, images.needs, job.needs]).toEqual(['version', ['version', 'build'], ['version', 'images']])
})
