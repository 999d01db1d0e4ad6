import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serviceNames } from '@nifty/api/services'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from '../repo-rules/tree.ts'
import { merged, sizes } from './chart.ts'
import { bytes, cores } from './quantity.ts'

type Component = {
  replicas: number
  resources: { requests: { cpu: string; memory: string } }
  autoscaling: { by: string; min: number; max: number }
}
type Server = { storage: string; resources: Component['resources'] }
type Servers = {
  postgres: { cloudNativePg: Server & { instances: number }; pooler: { instances: number; poolSize: number } }
  kafka: { strimzi: Server & { replicas: number } }
  uploads: { auth: string; minting: string }
}
type Values = Servers & { services: Record<string, Component>; rollout: { maxSurge: number | string } }

const text = (file: string) => readFileSync(join(root, 'deploy', file), 'utf8')
const capacity = text('CAPACITY.md')
const base = parse(text('helm/values.yaml'), { merge: true }) as Values
const charts = sizes.map((name) => {
  const own = parse(text(`helm/values-${name}.yaml`), { merge: true }) as Partial<Values>
  const services = Object.entries(base.services).map(([service, usual]) => {
    const changed = (own.services?.[service] ?? {}) as Partial<Component>
    const autoscaling = { ...usual.autoscaling, ...changed.autoscaling }
    const replicas = changed.replicas ?? usual.replicas
    return { ...usual, ...changed, service, autoscaling, replicas }
  })
  const servers = merged(base, own) as Servers
  return { name, services, servers, maxSurge: own.rollout?.maxSurge ?? base.rollout.maxSurge }
})

/** Cells of a row of the documents' tables. */
const rowOf = (first: string) =>
  capacity
    .split('\n')
    .find((line) => line.startsWith(`| ${first}`))!
    .split('|')
    .slice(2, 5)
    .map((cell) => cell.trim())

/** Of one process, from the table of what follows from the code. */
const connections = new Map(
  serviceNames.map((name) => {
    const [row] = rowOf('database connections of one process')
    const sum = (of: string) => [...row!.matchAll(new RegExp(`${of} ([\\d +]+)`, 'g'))].at(0)![1]!.split('+')
    return [
      name as string,
      sum(name === 'payments' ? 'payments' : 'others').reduce((all, part) => all + Number(part), 0),
    ]
  }),
)

/** Of those of a process, the ones that go through a pooler: the pool of `openDatabase`. */
const POOLED = 8

test.each(
  charts.flatMap((chart) => [
    { ...chart, row: 'connections (7)', pooled: false },
    { ...chart, row: 'connections with a pooler (7)', pooled: true },
  ]),
)('$row of the chart "$name", at their minimum and maximum', ({ name, services, maxSurge, row, pooled }) => {
  const surgeOf = (replicas: number) =>
    typeof maxSurge === 'number' ? maxSurge : Math.ceil((replicas * Number.parseInt(maxSurge, 10)) / 100)
  const { instances, poolSize } = base.postgres.pooler
  const ofPooler = pooled ? serviceNames.length * instances * poolSize : 0
  let [least, most] = [ofPooler, ofPooler]
  for (const { service, replicas, autoscaling } of services) {
    const ofProcess = connections.get(service) ?? 0
    const each = pooled && ofProcess > 0 ? ofProcess - POOLED : ofProcess
    const max = autoscaling.by === 'none' ? replicas : autoscaling.max
    least += replicas * each
    most += (max + surgeOf(max)) * each
  }
  const cell = rowOf(row)[charts.findIndex((chart) => chart.name === name)]
  expect(cell!.replaceAll(',', '')).toBe(`${least} to ${most}`)
})

test.each(charts)('what the pods of the chart "$name" request', ({ name, services }) => {
  const sum = (of: (component: Component) => number) =>
    services.reduce((all, component) => all + component.replicas * of(component), 0)
  const cpu = Math.round(sum(({ resources }) => cores(resources.requests.cpu)))
  const gigabytes = Math.round(sum(({ resources }) => bytes(resources.requests.memory)) / 2 ** 30)
  const cell = rowOf('pods, minimum requests')[charts.findIndex((chart) => chart.name === name)]
  expect(cell).toContain(`${cpu} core${cpu === 1 ? '' : 's'}, ${gigabytes} GB`)
})

test.each(charts)('what servers and volumes of the chart "$name" request', ({ name, servers }) => {
  const gigabytes = (...quantities: string[]) => quantities.reduce((all, each) => all + bytes(each), 0) / 2 ** 30
  const request = ({ storage, resources: { requests } }: Server, count: number) =>
    `${count * cores(requests.cpu)} cores, ${count * gigabytes(requests.memory)} GB, ${count * gigabytes(storage)} GB`
  const { postgres, kafka, uploads } = servers
  const cell = (row: string) => rowOf(row)[charts.findIndex((chart) => chart.name === name)]!
  expect(cell('PostgreSQL, three servers')).toContain(request(postgres.cloudNativePg, postgres.cloudNativePg.instances))
  expect(cell('Kafka, three brokers')).toContain(request(kafka.strimzi, kafka.strimzi.replicas))
  expect(cell('pictures stored')).toBe(`${gigabytes(uploads.auth, uploads.minting)} GB`)
})
