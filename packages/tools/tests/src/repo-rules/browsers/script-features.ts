import type { Expression, Node, SourceFile } from 'typescript/unstable/ast'
import * as is from 'typescript/unstable/ast/is'
import { API, type APIOptions, type Checker, type Symbol as Declared, type Type } from 'typescript/unstable/sync'
import { api, type Feature, featureAt, html, javascript } from './promised.ts'

/** A use of a platform feature. `feature` is undefined when the compatibility data has none of this name. */
export type Use = { name: string; feature: Feature | undefined; file: string }

/**
 * The globals, static and instance members, events, elements and attributes that a project's scripts use, as the type
 * checker resolves them. Not: members of option objects, and members of values of type `any`.
 */
export function scriptFeatures(config: string, isChosen: (file: string) => boolean, fs?: APIOptions['fs']): Use[] {
  const compiler = new API({ fs })
  try {
    const { program, checker } = compiler.updateSnapshot({ openProjects: [config] }).getProjects()[0]!
    const files = program.getSourceFileNames().filter(isChosen)
    return files.flatMap((file) => usesIn(program.getSourceFile(file)!, checker).map((use) => ({ ...use, file })))
  } finally {
    compiler.close()
  }
}

type Found = Omit<Use, 'file'>

function usesIn(source: SourceFile, checker: Checker): Found[] {
  const uses: Found[] = []
  const names: Node[] = []
  const visit = (node: Node): void => {
    if (isTypeOnly(node)) return
    if (is.isIdentifier(node)) names.push(node)
    if (is.isObjectBindingPattern(node)) uses.push(...destructured(node, checker))
    if (is.isCallExpression(node)) uses.push(...listenedTo(node, checker))
    if (is.isJsxOpeningElement(node) || is.isJsxSelfClosingElement(node)) uses.push(...elementUses(node))
    node.forEachChild(visit)
  }
  visit(source)
  checker.getSymbolAtLocation(names).forEach((declared, index) => {
    if (!declared || !isOfPlatform(declared) || declared.name.startsWith('__')) return
    const { parent } = names[index]!
    if (is.isPropertyAccessExpression(parent) && parent.name === names[index]) {
      uses.push(member([...ownersOf(parent.expression, checker), ...declaredIn(declared)], declared.name))
    } else if (!declared.getParent()) uses.push(global(declared.name))
  })
  return uses
}

const isTypeOnly = (node: Node) =>
  is.isInterfaceDeclaration(node) ||
  is.isTypeAliasDeclaration(node) ||
  (is.isTypeNode(node) && !is.isExpressionWithTypeArguments(node))

/** Declared by the libraries of TypeScript. Node's types declare some of the same names again. */
const isOfPlatform = ({ declarations }: Declared) =>
  declarations.some(({ path }) => /\/lib\.[\w.]+\.d\.ts$|\/@types\/node\//.test(path))

/** The names of the interfaces of an expression's type, with those that they extend. */
function ownersOf(expression: Expression, checker: Checker): string[] {
  const type = checker.getTypeAtLocation(expression)
  const owners = type ? interfacesOf(type, checker) : []
  // `declare var URL: { parse(…): …; new (…): URL }`
  return owners.length === 0 && is.isIdentifier(expression) ? [expression.text] : owners
}

function interfacesOf(type: Type, checker: Checker): string[] {
  if (type.isUnionType() || type.isIntersectionType()) {
    return type.getTypes().flatMap((part) => interfacesOf(part, checker))
  }
  if (checker.isArrayLikeType(type)) return ['Array']
  const whole = checker.getApparentType(type) ?? type
  const name = whole.getSymbol()?.name
  if (!name || name.startsWith('__')) return []
  const bases = whole.isClassOrInterface() ? checker.getBaseTypes(whole) : []
  return [interfaceNamed(name), ...bases.flatMap((base) => interfacesOf(base, checker))]
}

/** `ArrayConstructor` is the type of `Array`. */
const interfaceNamed = (name: string) =>
  name
    .replace(/Constructor$/, '')
    .replace(/^Readonly(?=Array|Set|Map)/, '')
    .replace(/^IteratorObject$/, 'Iterator')

/** The interface of a member's declaration: the one that `Pick<File, 'size'>` picks from. */
function declaredIn({ declarations }: Declared): string[] {
  const parent = declarations[0]?.resolve()?.parent
  return parent && is.isInterfaceDeclaration(parent) ? [interfaceNamed(parent.name.text)] : []
}

function member(owners: string[], name: string): Found {
  const builtins = javascript.builtins
  for (const owner of owners) {
    const found =
      featureAt(api, [owner, name]) ??
      featureAt(api, [owner, `${name}_static`]) ??
      featureAt(builtins, [owner, name]) ??
      featureAt(builtins, ['Intl', owner, name]) ??
      (owner.endsWith('Array') ? featureAt(builtins, ['TypedArray', name]) : undefined)
    if (found) return { name: `${owner}.${name}`, feature: found }
  }
  return { name: `${owners[0] ?? '?'}.${name}`, feature: undefined }
}

const global = (name: string): Found => ({
  name,
  feature:
    featureAt(api, [name]) ??
    featureAt(api, ['Window', name]) ??
    featureAt(api, ['EventTarget', name]) ??
    featureAt(javascript.builtins, [name]),
})

/** `const { clipboard } = navigator` */
function destructured(pattern: Node, checker: Checker): Found[] {
  const type = checker.getTypeAtLocation(pattern)
  if (!type) return []
  const uses: Found[] = []
  pattern.forEachChild((element) => {
    if (!is.isBindingElement(element)) return
    const name = element.propertyName ?? element.name
    if (!name || !is.isIdentifier(name)) return
    const declared = checker.getPropertyOfType(type, name.text)
    if (declared && isOfPlatform(declared))
      uses.push(member([...interfacesOf(type, checker), ...declaredIn(declared)], name.text))
  })
  return uses
}

/** `target.addEventListener('scrollend', …)`. Events that the data does not have are our own or those of wallets. */
function listenedTo(call: Node, checker: Checker): Found[] {
  if (!is.isCallExpression(call)) return []
  const {
    expression,
    arguments: [event],
  } = call
  if (!event || !is.isStringLiteral(event) || !/\baddEventListener$/.test(expression.getText())) return []
  const owners = is.isPropertyAccessExpression(expression) ? ownersOf(expression.expression, checker) : []
  const use = member([...owners, 'Window', 'Element'], `${event.text}_event`)
  return use.feature ? [use] : []
}

/** `<input popover="auto">`, without elements and attributes that the data does not have, such as React's own. */
function elementUses(element: Node): Found[] {
  if (!is.isJsxOpeningElement(element) && !is.isJsxSelfClosingElement(element)) return []
  const tag = element.tagName.getText()
  const uses: Found[] = []
  const add = (name: string, feature: Feature | undefined) => feature && uses.push({ name, feature })
  if (!featureAt(html.elements, [tag])) return []
  add(`<${tag}>`, featureAt(html.elements, [tag]))
  for (const attribute of element.attributes.properties) {
    if (!is.isJsxAttribute(attribute)) continue
    const name = attribute.name.getText().toLowerCase()
    const feature = featureAt(html.elements, [tag, name]) ?? featureAt(html.global_attributes, [name])
    add(`<${tag} ${name}>`, feature)
    if (name.startsWith('on')) add(`<${tag} ${name}>`, featureAt(api, ['Element', `${name.slice(2)}_event`]))
    const value = attribute.initializer
    if (!value || !is.isStringLiteral(value)) continue
    add(`<${tag} ${name}="${value.text}">`, featureAt(feature, [value.text]))
    add(`<${tag} ${name}="${value.text}">`, featureAt(html.elements, [tag, `${name}_${value.text}`]))
  }
  return uses
}
