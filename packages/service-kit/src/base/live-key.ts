import { Type } from 'typebox'
import { inventedCompany } from './env.ts'

/**
 * `STRIPE_SECRET_KEY`: a secret or a restricted key, from whose beginning its mode is read. Anything else, such as a
 * space in front, would be taken for a test key.
 */
export const ProcessorKey = Type.String({ pattern: '^[sr]k_(test|live)_[!-~]+$' })

/** Whether a key of the processor moves real money: a secret or a restricted key of the live mode. */
export const isLiveKey = (key: string | undefined) => /^[sr]k_live_/.test(key ?? '')

/** The processor's own server. */
export const PROCESSOR_URL = 'https://api.stripe.com'

/** Whether `STRIPE_API_URL` names another server than the processor's own. */
export function isForeignProcessor(apiUrl: string | undefined) {
  if (!apiUrl) return false
  return !URL.canParse(apiUrl) || new URL(apiUrl).origin !== PROCESSOR_URL
}

type Env = NodeJS.ProcessEnv
/** Why the value of a variable does not suit real money; undefined: it does. */
type Rule = (value: string, env: Env) => string | undefined

/** Chains of development tools: Ganache, anvil and Hardhat. */
const LOCAL_CHAINS = [1337, 5777, 31337]
/** Public test networks, whose tokens are worth nothing: Amoy, Sepolia, Hoodi, Holesky, and those of layers on top. */
const TEST_CHAINS = [80002, 11155111, 560048, 17000, 84532, 421614, 11155420, 2442]

/** How the keys begin that anvil and Hardhat derive from "test test … junk" for their 20 accounts. */
const PUBLISHED_KEYS = `
  ac0974bec39a17e3 59c6995e998f97a5 5de4111afa1a4b94 7c852118294e51e6 47e179ec19748859 8b3a350cf5c34c91
  92db14e403b83dfe 4bbbf85ce3377467 dbda1821b80551c9 2a871d0798f97d79 f214f2b2cd398c80 701b615bbdfb9de6
  a267530f49f82802 47c99abed3324a27 c526ee95bf44d8fc 8166f546bab6da52 ea6c44ac03bff858 689af8efa8c651a9
  de9be858da4a4752 df57089febbacf7b
`
  .trim()
  .split(/\s+/)

const isSet: Rule = (value) => (value.trim() ? undefined : 'is not set')
const unlike =
  (invented: string): Rule =>
  (value) =>
    value ? (value === invented ? 'is that of the invented company' : undefined) : 'is not set'
/** A domain that RFC 2606 keeps for documentation, as in FIRST-SHOP.md. */
const EXAMPLE = /(^|\.)example(\.com|\.net|\.org)?$/i
const secret: Rule = (value) =>
  value ? (value.startsWith('for-development-only') ? 'is published' : undefined) : 'is not set'
const mailbox: Rule = (value) => {
  if (!value) return 'is not set'
  const [, domain = ''] = /@([^@\s>]+)>?\s*$/.exec(value) ?? []
  return EXAMPLE.test(domain) ? 'is an example' : undefined
}

const publicUrl: Rule = (value) => {
  if (!/^https:\/\//.test(value)) return `is ${value || 'not set'}, and has to begin with https://`
  return URL.canParse(value) && EXAMPLE.test(new URL(value).hostname) ? 'is an example' : undefined
}

/** As `parseEnv` reads numbers: with zeros in front too. */
const chain: Rule = (value) => {
  if (!value) return 'is not set'
  if (LOCAL_CHAINS.includes(Number(value))) return `is ${value}, a local chain`
  return TEST_CHAINS.includes(Number(value)) ? `is ${value}, a test network` : undefined
}

const signerKeys: Rule = (value) => {
  if (!value) return 'is not set'
  const isPublished = value.split(',').some((key) => PUBLISHED_KEYS.includes(key.trim().slice(2, 18).toLowerCase()))
  return isPublished ? 'is a published key' : undefined
}

const processor: Rule = (value, env) =>
  isForeignProcessor(value) && env.ALLOW_FOREIGN_PROCESSOR !== 'true'
    ? `is ${value}, and live keys go to api.stripe.com only, unless ALLOW_FOREIGN_PROCESSOR is true`
    : undefined

const proxies: Rule = (value, env) =>
  value || env.TLS_CERT_FILE
    ? undefined
    : 'is not set: the address of the TLS proxy, without which all visitors count as one'

/** What payments alone can check, in a cluster as well. */
const ofPayments: Record<string, Rule> = {
  PUBLIC_URL: publicUrl,
  STRIPE_WEBHOOK_SECRET: isSet,
  STRIPE_API_URL: processor,
}

/** What all programs of a store together need for real money. */
const ofStore: Record<string, Rule> = {
  ...ofPayments,
  TRUSTED_PROXIES: proxies,
  POSTGRES_URL: isSet,
  CHAIN_RPC_URL: isSet,
  CHAIN_ID: chain,
  CHAIN_SIGNER_KEY: signerKeys,
  CHAIN_COLLECTION: isSet,
  CHAIN_DELIVERY: isSet,
  AUTH_SIGNING_KEY: secret,
  INTERNAL_SECRET: secret,
  MAIL_TOKEN_KEY: secret,
  SECOND_FACTOR_KEY: secret,
  SMTP_URL: isSet,
  MAIL_FROM: mailbox,
  OPERATOR_EMAIL: mailbox,
  COMPANY_NAME: unlike(inventedCompany.name),
  COMPANY_NUMBER: unlike(inventedCompany.number),
  COMPANY_REGISTER: isSet,
  COMPANY_ADDRESS: unlike(inventedCompany.address),
  COMPANY_EMAIL: mailbox,
}

/** The variables that have to be set beside a live key. */
export const neededWithLiveKey = Object.keys(ofStore).filter((name) => name !== 'STRIPE_API_URL')

const problemsOf = (rules: Record<string, Rule>, env: Env) =>
  Object.entries(rules).flatMap(([name, rule]) => {
    const problem = rule(env[name] ?? '', env)
    return problem ? [`${name} ${problem}`] : []
  })

const refuse = (problems: string[]) => {
  if (problems.length > 0)
    throw new Error(
      `STRIPE_SECRET_KEY is a live key, and this store cannot take real money:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
    )
}

/** Whether a key of the processor must not be sent to `STRIPE_API_URL`. */
export const isAtForeignProcessor = (env: Env) =>
  isLiveKey(env.STRIPE_SECRET_KEY) && processor(env.STRIPE_API_URL ?? '', env) !== undefined

/** What a live key would be refused for, with the settings as they are. */
export const incompleteness = (env: Env) => problemsOf(ofStore, env)

/**
 * Throws where a live key of the processor meets settings that are missing or made for development; the message names
 * all of them, one a line. `further` are problems that are in no variable.
 */
export function refuseIncompleteStore(env: Env, further: string[] = []) {
  if (isLiveKey(env.STRIPE_SECRET_KEY)) refuse([...problemsOf(ofStore, env), ...further])
}

/** The part of it that payments can check where other programs have the other settings. */
export function refuseIncompletePayments(env: Env) {
  if (isLiveKey(env.STRIPE_SECRET_KEY)) refuse(problemsOf(ofPayments, env))
}
