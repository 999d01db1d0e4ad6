import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that take longest on an idle machine, longest first: begun last, one would run on while the other core idles.
 */
const longest = [
  'deploy/images-built',
  'web/office',
  'screens/screens',
  'journeys/storm',
  'journeys/cluster',
  'journeys/backup',
  'web/long-text',
  'web/offers',
  'journeys/database-restored',
  'deploy/chart',
  'journeys/sale',
  'journeys/quick-start',
  'web/studio',
  'web/purchase',
  'chain/second-node',
  'kafka/topics',
  'messaging/kafka-transport',
  'ops/src/signers',
  'chain-transactions/replacement',
].map((name) => `/${name}.test.ts`)

const rank = ({ moduleId }: TestSpecification) => {
  const place = longest.findIndex((name) => moduleId.endsWith(name))
  return place < 0 ? longest.length : place
}

/** Sorts as vitest does, by the durations of the last run or by size, but starts the longest files of a group first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    const groupOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder
    return sorted.sort((a, b) => groupOf(a) - groupOf(b) || rank(a) - rank(b))
  }
}
