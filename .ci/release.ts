// node .ci/release.ts TAG: prints the version of a release, and writes its part of the changelog to release-notes.txt.
// Fails where tag, package.json, chart and changelog do not name one version. Runs in the root of the repository.
import { readFileSync, writeFileSync } from 'node:fs'

const read = (file: string) => readFileSync(file, 'utf8')
const ofChart = (field: string) =>
  new RegExp(`^${field}: "?([^"\\n]+)"?$`, 'm').exec(read('deploy/helm/Chart.yaml'))?.[1]

/** The versions that have to agree, by the place where they stand. */
const versions = (): Record<string, string | undefined> => ({
  'package.json': JSON.parse(read('package.json')).version,
  'version of the chart': ofChart('version'),
  'appVersion of the chart': ofChart('appVersion'),
})

/** What the changelog has below the heading of a version; undefined without one, or where it is empty. */
function notesOf(version: string): string | undefined {
  const part = read('CHANGELOG.md')
    .split(/^## /m)
    .find((text) => text.startsWith(`[${version}]`))
  return part?.slice(part.indexOf('\n')).trim() || undefined
}

/** Version and notes of the release of a tag, `v` and the version. Throws with all that does not agree. */
function releaseOf(tag: string) {
  const version = /^v(\d+\.\d+\.\d+(?:-[\w.]+)?)$/.exec(tag)?.[1]
  if (!version) throw new Error(`The tag "${tag}" is not v and a version, such as v1.0.0.`)
  const notes = notesOf(version)
  const problems = Object.entries(versions())
    .filter(([, found]) => found !== version)
    .map(([place, found]) => `${place} is ${found}`)
  if (!notes) problems.push(`CHANGELOG.md has nothing below "## [${version}]"`)
  if (problems.length > 0) throw new Error(`The tag is ${tag}, but ${problems.join(', ')}.`)
  return { version, notes }
}

try {
  const { version, notes } = releaseOf(process.argv[2] ?? '')
  writeFileSync('release-notes.txt', `${notes}\n`)
  process.stdout.write(`${version}\n`)
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
