import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vite'
import { root, sources } from './tree.ts'

/** An error that a service responds with. `message` has `…` where the code inserts a value. */
export type ErrorCode = { code: string; status: number; message: string; file: string }

type Node = { type: string; [key: string]: any }

/** A value of the source: alternatives of literal text, a parameter of the enclosing function, or something else. */
type Value = { texts: string[] } | { parameter: number } | null
/** A function that creates an error; those with parameters are resolved where they are called. */
type Factory = { file: string; status: Value; code: Value; message: Value }

const ERRORS = 'packages/service-kit/src/base/errors.ts'
/** The errors of Fastify that `sendError` translates have the status that Fastify gives them. */
const statusOfFastify: Record<string, number> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 413,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 415,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 400,
}

/** A function around a node. */
type Scope = { name: string | undefined; parameters: (string | undefined)[] }
const none: Scope = { name: undefined, parameters: [] }

const isFunction = ({ type }: Node) => /^(ArrowFunction|Function)(Expression|Declaration)$/.test(type)

/** Calls `visit` for every node, with the functions around it, innermost last, each with its name if it has one. */
function walk(node: Node, visit: (node: Node, around: Scope[]) => void, around: Scope[] = [], name?: string) {
  const scopes = isFunction(node)
    ? [...around, { name: node.id?.name ?? name, parameters: namesOf(node.params) }]
    : around
  visit(node, scopes)
  const ownName = node.type === 'VariableDeclarator' ? node.id.name : undefined
  for (const child of Object.values(node))
    for (const each of Array.isArray(child) ? child : [child])
      if (each && typeof each.type === 'string') walk(each, visit, scopes, ownName)
}

const namesOf = (parameters: Node[]) => parameters.map((each) => (each.left ?? each).name as string | undefined)

/** Evaluates a string expression as far as the source alone allows. */
function evaluate(node: Node | undefined, { parameters }: Scope): Value {
  if (!node) return null
  if (node.type === 'Literal') return { texts: [String(node.value)] }
  if (node.type === 'TemplateLiteral') return { texts: [node.quasis.map(({ value }: Node) => value.cooked).join('…')] }
  if (node.type === 'Identifier') {
    const parameter = parameters.indexOf(node.name)
    return parameter < 0 ? null : { parameter }
  }
  const branches: Node[] =
    node.type === 'ConditionalExpression'
      ? [node.consequent, node.alternate]
      : node.type === 'LogicalExpression'
        ? [node.left, node.right]
        : []
  const texts = branches.flatMap((branch) => textsOf(evaluate(branch, none)))
  return texts.length > 0 ? { texts } : null
}

const textsOf = (value: Value) => (value && 'texts' in value ? value.texts : [])

const filesOfServices = () =>
  sources.filter(
    (file) =>
      /^(gateway|packages\/service-kit|services\/[^/]+)\/src\//.test(file) &&
      !/\.(test|bench)\.ts$|\/testing(\/|\.ts$)|\.conformance\.ts$/.test(file),
  )

/** Every error code of gateway, services and service-kit, from their source. */
export function errorCodes(): ErrorCode[] {
  const programs = filesOfServices().map((file) => ({ file, program: parse(file) }))
  const statuses = statusTable(parse(ERRORS))
  const factories = new Map<string, Factory[]>()
  const found: ErrorCode[] = []

  /** Records an error, or a factory if its code or message is a parameter of the function around it. */
  function record(error: Factory, scope: Scope): boolean {
    const open = [error.status, error.code, error.message].some((value) => value && 'parameter' in value)
    if (open && scope.name) return addFactory(scope.name, error)
    const messages = textsOf(error.message)
    for (const status of textsOf(error.status))
      for (const code of textsOf(error.code))
        for (const message of messages.length > 0 ? messages : ['…'])
          add({ code, status: Number(status), message, file: error.file })
    return false
  }
  function addFactory(name: string, factory: Factory): boolean {
    const known = factories.get(name) ?? []
    if (known.some((each) => JSON.stringify(each) === JSON.stringify(factory))) return false
    factories.set(name, [...known, factory])
    return true
  }
  function add(error: ErrorCode) {
    if (!found.some((each) => JSON.stringify(each) === JSON.stringify(error))) found.push(error)
  }

  function scan(file: string, program: Node): boolean {
    let grown = false
    walk(program, (node, around) => {
      const scope = around.findLast(({ name }) => name) ?? none
      if (node.type === 'NewExpression' && node.callee.name === 'ExpectedError') {
        const [kind, code, message] = node.arguments as Node[]
        const programs = textsOf(evaluate(kind, scope)).flatMap((each) => statuses.get(each) ?? [])
        const error = {
          status: { texts: programs },
          code: evaluate(code, scope),
          message: evaluate(message, scope),
          file,
        }
        grown = record(error, scope) || grown
      }
      if (node.type === 'CallExpression' && node.callee.type === 'Identifier')
        for (const factory of factories.get(node.callee.name) ?? []) {
          const argument = (value: Value) =>
            value && 'parameter' in value ? evaluate(node.arguments[value.parameter], scope) : value
          if (factory.file !== file && !isImported(program, node.callee.name)) continue
          const { status, code, message } = factory
          const error = { status: argument(status), code: argument(code), message: argument(message), file }
          grown = record(error, scope) || grown
        }
    })
    return grown
  }

  while (programs.map(({ file, program }) => scan(file, program)).some(Boolean));
  for (const error of translated()) add(error)
  return found.sort((a, b) => orderOf(a).localeCompare(orderOf(b), 'en'))
}

const orderOf = ({ code, status, message, file }: ErrorCode) => `${code} ${status} ${message} ${file}`

const parse = (file: string) => parseAst(readFileSync(join(root, file), 'utf8'), { lang: 'ts' }) as unknown as Node

const isImported = (program: Node, name: string) =>
  program.body.some(
    ({ type, specifiers }: Node) =>
      type === 'ImportDeclaration' && specifiers.some(({ local }: Node) => local.name === name),
  )

/** `statusOf` in errors.ts: kind → HTTP status. */
function statusTable(program: Node): Map<string, string> {
  const statuses = new Map<string, string>()
  walk(program, (node) => {
    if (node.type !== 'Property' || typeof node.value?.value !== 'number') return
    statuses.set(node.key.name, String(node.value.value))
  })
  return statuses
}

/** Responses of `sendError` to errors that are no `ExpectedError`: `(status, code, message)`, and those of Fastify. */
function translated(): ErrorCode[] {
  const file = filesOfServices().find((each) =>
    /export function sendError\b/.test(readFileSync(join(root, each), 'utf8')),
  )
  const found: ErrorCode[] = []
  walk(parse(file!), (node) => {
    if (node.type === 'CallExpression' && typeof node.arguments[0]?.value === 'number') {
      const [status, code, message] = (node.arguments as Node[]).map((each) => textsOf(evaluate(each, none))[0])
      if (code) found.push({ code, status: Number(status), message: message ?? '…', file: file! })
    }
    const status = node.type === 'Property' && statusOfFastify[node.key.name]
    if (status && node.value.type === 'ObjectExpression') {
      const [code, message] = node.value.properties.map(({ value }: Node) => value.value)
      found.push({ code, status, message, file: file! })
    }
  })
  return found
}

/** The page `services/ERRORS.md`: an item for each code and status, with its messages and the files that have them. */
export function errorCodesPage(): string {
  const items = new Map<string, Map<string, string[]>>()
  for (const { code, status, message, file } of errorCodes()) {
    const link = file.startsWith('services/') ? file.slice('services/'.length) : `../${file}`
    const item = `\`${code}\` ${status}`
    const messages = items.get(item) ?? new Map<string, string[]>()
    items.set(item, messages.set(message, [...(messages.get(message) ?? []), link]))
  }
  return [
    '# Error codes',
    '',
    'Generated from the source, to which the messages link, by `pnpm docs:errors`; a test fails when this page is out of date.',
    '',
    'Every error response is `{success: false, code, message, requestId}`, with `errors: [{msg, path}]` for invalid form',
    'fields and `details` where a program needs more. `…` stands for an inserted value. A service that calls another one',
    'passes on its 4xx codes, and responds 503 `service_unavailable` to everything else, and to the `forbidden` that refuses',
    'its own key.',
    '',
    ...[...items].map(([item, messages]) => `- ${item}: ${[...messages].map(linked).join('; ')}`),
    '',
  ].join('\n')
}

/** The message as a link to the first file that has it, and numbers as links to the others. */
const linked = ([message, files]: [string, string[]]) =>
  [`[${message}](${files[0]})`, ...files.slice(1).map((file, index) => `[${index + 2}](${file})`)].join(', ')
