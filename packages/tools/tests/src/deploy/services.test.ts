import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { internalUrlVariable, serviceNames, services, urlVariable } from '@nifty/api/services'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { rules } from '../observability/rules.ts'
import { root } from '../repo-rules/tree.ts'
import { chart, sizes } from './chart.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const names = [...serviceNames].sort()
const components = ['gateway', ...serviceNames].sort()

/** The YAML of a named template without expressions. */
function template(name: string) {
  const [, text] =
    new RegExp(`define "${name}" -}}\\n([\\s\\S]*?)\\n{{- end }}`).exec(
      readFileSync(join(chart, 'templates/_components.tpl'), 'utf8'),
    ) ?? []
  return parse(text ?? '')
}

describe('the chart has the services of packages/api/src/services.ts', () => {
  test('in its table of services, each with the services that it calls', () => {
    const table = template('nifty.services') as Record<string, { calls: string[] }>
    expect(Object.keys(table).sort()).toEqual(names)
    for (const { name, calls } of services) expect(table[name]!.calls, name).toEqual(calls)
    expect(template('nifty.operatorCalls').sort()).toEqual(names)
  })

  test('in its values and their schema, with the gateway', () => {
    const schema = JSON.parse(read('deploy/helm/values.schema.json')).properties.services
    expect(Object.keys(parse(read('deploy/helm/values.yaml')).services).sort()).toEqual(components)
    expect(Object.keys(schema.properties).sort()).toEqual(components)
    expect(schema.required.sort()).toEqual(components)
    for (const size of sizes)
      expect(components).toEqual(
        expect.arrayContaining(Object.keys(parse(read(`deploy/helm/values-${size}.yaml`)).services)),
      )
  })

  test('on their internal ports', () => {
    const address = /define "nifty.internalUrl" -}}\n.*:(\d+)\n/.exec(read('deploy/helm/templates/_components.tpl'))
    for (const { name, internalPort } of services) expect(Number(address?.[1]), name).toBe(internalPort)
  })

  test('in the alert for components that are down, with the gateway', () => {
    const expression = rules.find(({ alert }) => alert === 'NiftyComponentDown')!.expr
    expect([...expression.matchAll(/component="([^"]+)"/g)].map(([, name]) => name).sort()).toEqual(components)
  })
})

describe('compose.yaml has the services of packages/api/src/services.ts', () => {
  const compose = parse(read('deploy/compose.yaml'), { merge: true }).services

  test('each built from its folder, and ready before the gateway', () => {
    const built = Object.entries<any>(compose).flatMap(([name, { build }]) =>
      build?.args.SERVICE === name ? name : [],
    )
    expect(built.sort()).toEqual(components)
    expect(Object.keys(compose.gateway.depends_on).sort()).toEqual(names)
  })

  test('with the addresses of the services that each one calls, and no others', () => {
    const urls = (environment: object, pattern: RegExp) =>
      Object.entries(environment)
        .filter(([name]) => pattern.test(name))
        .sort()
    for (const { name, calls } of services)
      expect(urls(compose[name].environment, /_INTERNAL_URL$/), name).toEqual(
        services
          .filter((other) => (calls as readonly string[]).includes(other.name))
          .map((other) => [internalUrlVariable(other.name), `http://${other.name}:${other.internalPort}`])
          .sort(),
      )
    const gateway = serviceNames.map((name) => [urlVariable(name), `http://${name}:3000`]).sort()
    expect(urls(compose.gateway.environment, new RegExp(`^(${serviceNames.join('|')})_URL$`, 'i'))).toEqual(gateway)
  })
})
