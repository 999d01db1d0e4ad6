import { setTimeout as sleep } from 'node:timers/promises'
import type { ServiceName } from '@nifty/api/services'
import type { Log } from '../campaign/campaign.ts'
import type { Journal } from './journal.ts'
import { auctionQuestions } from './questions/auctions.ts'
import { catalogQuestions } from './questions/catalog.ts'
import { chainQuestions } from './questions/chain.ts'
import { clientQuestions, paceQuestion } from './questions/clients.ts'
import { giftQuestions } from './questions/gifts.ts'
import { mailQuestions } from './questions/mails.ts'
import { messageQuestions } from './questions/messages.ts'
import { offerQuestions } from './questions/offers.ts'
import { olderQuestion } from './questions/older.ts'
import { paymentsQuestions } from './questions/payments.ts'
import { processorQuestions } from './questions/processor.ts'
import type { Question } from './questions/question.ts'
import { storyOf } from './story.ts'
import { readWorld, type Sources, type World } from './world.ts'

/** A mail that met three faults is sent again at most 144 s after the last of them. */
const WITHIN_MS = 180_000
const PAUSE_MS = 2_000
const STORIES = 10
/** Of one question. */
const PRINTED = 5

export const questions: Question[] = [
  ...paymentsQuestions,
  ...processorQuestions,
  ...chainQuestions,
  ...catalogQuestions,
  ...giftQuestions,
  ...offerQuestions,
  ...auctionQuestions,
  ...messageQuestions,
  ...mailQuestions,
  ...clientQuestions,
]

type Answer = { name: string; rows: number; wrong: { about?: string; what: string }[] }

type Options = { log: Log; journal: Journal; paced: boolean; older: ServiceName | undefined }

/** Repeats all questions until nothing is wrong, at most 180 s; prints the number of rows that each examined. */
export async function check(sources: Sources, { log, journal, paced, older }: Options) {
  const asked = [...questions, ...(paced ? [paceQuestion] : []), ...(older ? [olderQuestion(older)] : [])]
  const ask = (world: World) => asked.map((question) => answerOf(question, world))
  const since = performance.now()
  let world: World = await readWorld(sources)
  let answers = ask(world)
  while (!answers.every(isRight) && performance.now() - since < WITHIN_MS) {
    await sleep(PAUSE_MS)
    world = await readWorld(sources)
    answers = ask(world)
  }
  const seconds = Math.round((performance.now() - since) / 1_000)
  for (const { name, rows, wrong } of answers) {
    log(`${String(rows).padStart(6)} rows  ${wrong.length === 0 ? 'ok  ' : `${wrong.length} WRONG`}  ${name}`)
    journal.write({ actor: 'checker', what: name, rows, wrong })
  }
  const violations = answers.flatMap(({ name, rows, wrong }) => [
    ...(rows === 0 ? [`${name}: looked at no row`] : []),
    ...wrong.slice(0, PRINTED).map(({ about, what }) => `${name}: ${what}${about ? ` (${about})` : ''}`),
    ...(wrong.length > PRINTED ? [`${name}: and ${wrong.length - PRINTED} more, in the journal`] : []),
  ])
  const subjects = new Set(answers.flatMap(({ wrong }) => wrong.flatMap(({ about }) => about ?? [])))
  for (const story of [...subjects].slice(0, STORIES).map((about) => storyOf(world, about))) log(story)
  return { world, violations, metrics: { 'seconds until all was in order': seconds, questions: answers.length } }
}

/** The parts of a world are read one after the other: while the store still works, one may know what another lacks. */
function answerOf({ name, ask }: Question, world: World): Answer {
  try {
    return { name, ...ask(world) }
  } catch (error) {
    return { name, rows: 0, wrong: [{ what: String((error as Error).stack) }] }
  }
}

const isRight = ({ rows, wrong }: Answer) => rows > 0 && wrong.length === 0
