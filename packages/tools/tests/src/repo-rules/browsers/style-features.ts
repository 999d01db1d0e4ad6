import { parse } from 'postcss'
import { css, type Feature, featureAt } from './promised.ts'
import type { Use } from './script-features.ts'

type Found = Omit<Use, 'file'>

/** The properties, keywords, functions, units, selectors and at-rules that a style sheet uses. */
export function styleFeatures(sheet: string): Found[] {
  const uses: Found[] = []
  const root = parse(sheet)
  root.walkDecls(({ prop, value, parent }) => {
    const isDescriptor = parent && 'name' in parent && parent.name === 'font-face'
    if (!prop.startsWith('-')) {
      const feature = featureAt(isDescriptor ? css['at-rules']?.['font-face'] : css.properties, [prop])
      uses.push({ name: prop, feature })
    }
    if (!isDescriptor) uses.push(...valueUses(value, prop))
  })
  root.walkAtRules(({ name, params }) => {
    if (name === 'supports') return
    const rule = featureAt(css['at-rules'], [name])
    uses.push({ name: `@${name}`, feature: rule })
    for (const [, feature] of params.matchAll(/\(\s*(?:min-|max-)?([a-z-]+)/g)) {
      uses.push({ name: `@${name} (${feature})`, feature: featureAt(rule, [feature!]) })
    }
  })
  root.walkRules(({ selector, parent }) => {
    if (parent && 'name' in parent && parent.name === 'keyframes') return
    for (const [name, found] of selector.matchAll(/::?(?:-webkit-)?([a-z-]+)/g)) {
      uses.push({
        name,
        feature: featureAt(css.selectors, [name.replace(/^::?/, '')]) ?? featureAt(css.selectors, [found!]),
      })
    }
    if (selector.includes('&')) uses.push({ name: '&', feature: featureAt(css.selectors, ['nesting']) })
  })
  return uses
}

/** Functions and units of a value, and the words that the data has below the property. */
function valueUses(value: string, property = ''): Found[] {
  const bare = value.replace(/"[^"]*"|url\([^)]*\)|var\(\s*--[\w-]+/g, ' ')
  const uses: Found[] = []
  for (const [, name] of bare.matchAll(/([a-z][\w-]*)\(/gi)) {
    uses.push({ name: `${name}()`, feature: functionNamed(name!, property) })
  }
  for (const [, unit] of bare.matchAll(/\d([a-z]+)/g)) {
    const family = unitFamilies.find(([units]) => units.test(unit!))?.[1] ?? unit!
    const feature = featureAt(css.types?.length, [family])
    if (feature) uses.push({ name: unit!, feature })
  }
  for (const [word] of bare.matchAll(/[a-z][a-z-]+(?![\w(-])/g)) {
    const feature = featureAt(css.properties, [property, word])
    if (feature) uses.push({ name: `${property}: ${word}`, feature })
  }
  return uses
}

const unitFamilies: [RegExp, string][] = [
  [/^d(vh|vw|vi|vb|vmin|vmax)$/, 'viewport_percentage_units_dynamic'],
  [/^s(vh|vw|vi|vb|vmin|vmax)$/, 'viewport_percentage_units_small'],
  [/^l(vh|vw|vi|vb|vmin|vmax)$/, 'viewport_percentage_units_large'],
  [/^cq(w|h|i|b|min|max)$/, 'container_query_length_units'],
]
const groups = [
  'color',
  'easing-function',
  'filter-function',
  'transform-function',
  'basic-shape',
  'gradient',
  'image',
  'length',
]

function functionNamed(name: string, property: string): Feature | undefined {
  return (
    featureAt(css.types, [name]) ??
    groups.map((group) => featureAt(css.types, [group, name])).find(Boolean) ??
    featureAt(css.properties, [property, name]) ??
    featureAt(css.properties, ['grid-template-columns', name])
  )
}
