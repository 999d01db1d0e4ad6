import { inventedCompany } from './env.ts'

/** Whether a key of the processor moves real money: a secret or a restricted key of the live mode. */
export const isLiveKey = (key: string | undefined) => /^[sr]k_live_/.test(key ?? '')

/** Whether `STRIPE_API_URL` names another server than the processor's own. */
export function isForeignProcessor(apiUrl: string | undefined) {
  if (!apiUrl) return false
  return !URL.canParse(apiUrl) || new URL(apiUrl).origin !== 'https://api.stripe.com'
}

type Env = NodeJS.ProcessEnv
/** Why the value of a variable does not suit real money; undefined: it does. */
type Rule = (value: string, env: Env) => string | undefined

/** Chains of development tools. */
const LOCAL_CHAINS = ['1337', '31337']

/** Private keys of the well-known phrase "test test … junk", with which anvil and hardhat fill their accounts. */
const PUBLISHED_KEYS = [
  'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  '59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  '5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
  '7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6',
  '47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a',
]

const isSet: Rule = (value) => (value ? undefined : 'is not set')
const unlike =
  (invented: string): Rule =>
  (value) =>
    value ? (value === invented ? 'is that of the invented company' : undefined) : 'is not set'
const secret: Rule = (value) =>
  value ? (value.startsWith('for-development-only') ? 'is published' : undefined) : 'is not set'
const mailbox: Rule = (value) =>
  value ? (/@([^@\s>]+\.)?example(\.com|\.net|\.org)?>?$/.test(value) ? 'is an example' : undefined) : 'is not set'

const publicUrl: Rule = (value) =>
  /^https:\/\//.test(value) ? undefined : `is ${value || 'not set'}, and has to begin with https://`

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
  CHAIN_ID: (value) =>
    value ? (LOCAL_CHAINS.includes(value) ? `is ${value}, a local chain` : undefined) : 'is not set',
  CHAIN_SIGNER_KEY: (value) =>
    value
      ? PUBLISHED_KEYS.some((key) => value.toLowerCase().includes(key))
        ? 'is a published key'
        : undefined
      : 'is not set',
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
  COMPANY_EMAIL: unlike(inventedCompany.email),
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
