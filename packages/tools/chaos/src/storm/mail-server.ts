import { existsSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../campaign/random.ts'
import { filesOf } from './folder.ts'
import { openJournal } from './journal.ts'
import { faultOf, mailFaultNames, NO_GREETING, type Step } from './mail/faults.ts'

/** Each waits for minutes and holds one of the five places of a process. */
const SILENT_AT_ONCE = 2
const CHANCE = 0.5
/**
 * A mail waits 5 s after its first failure, at most 36 s after the second and 144 s after the third. With two faults
 * for a recipient in this time no mail meets a fourth, also after a connection without a greeting.
 */
const MOST_FAULTS = 2
const WITHIN_MS = 60_000
const HEAL_EVERY_MS = 500

/** `slowMs`: before each response to a slow mail. */
type Options = { target: string; folder: string; seed: string; slowMs?: number }

/**
 * A mail server with faults in front of the mailbox's: silent, slow, refusing for now or for good, closing the
 * connection after the text, with the mail taken or not. A silent one ends its connections when no more faults are
 * injected, as one that is started again. Returns its address.
 */
export async function startMailServer({ target, folder, seed, slowMs = 4_000 }: Options) {
  const random = createRandom(`${seed}.mail`)
  const files = filesOf(folder)
  const journal = openJournal(files.journal)
  const upstreamPort = Number(new URL(target).port)
  const silent = new Set<Socket>()
  const recent = new Map<string, number[]>()
  /** One copy per mail is taken without a response. */
  const takenSilently = new Set<string>()
  let turns: string[] = []
  let greeted = true
  let count = 0

  const active = () => existsSync(files.active)
  setInterval(() => {
    if (!active()) for (const socket of silent) socket.destroy()
  }, HEAL_EVERY_MS).unref()

  function begin(fault: string, details: object = {}) {
    count++
    journal.write({ actor: 'mail server', what: 'begins', fault, id: count, ...details })
    return count
  }
  const end = (id: number) => journal.write({ actor: 'mail server', what: 'ends', id })

  /** Sends nothing on this connection again. */
  async function keepSilent(client: Socket, id: number) {
    silent.add(client)
    if (!client.destroyed) await new Promise((resolve) => client.once('close', resolve))
    silent.delete(client)
    end(id)
  }

  /** The fault of the next mail to a recipient; every fault has its turn before one comes again. */
  function choose(recipient: string): string | undefined {
    if (!active() || !random.chance(CHANCE)) return undefined
    const since = performance.now() - WITHIN_MS
    const times = (recent.get(recipient) ?? []).filter((at) => at > since)
    if (times.length >= MOST_FAULTS) return undefined
    if (turns.length === 0) turns = shuffled(mailFaultNames.filter((name) => name !== NO_GREETING))
    const at = turns.findIndex((name) => silent.size < SILENT_AT_ONCE || !isSilent(name))
    if (at < 0) return undefined
    recent.set(recipient, [...times, performance.now()])
    return turns.splice(at, 1)[0]
  }
  const isSilent = (name: string) => faultOf(name).does === 'silence'
  const shuffled = (names: string[]) =>
    names
      .map((name) => ({ name, place: random.unit() }))
      .sort((one, other) => one.place - other.place)
      .map(({ name }) => name)

  async function serve(client: Socket) {
    client.on('error', () => {})
    if (greeted && active()) {
      greeted = false
      return keepSilent(client, begin(NO_GREETING))
    }
    const upstream = connect(upstreamPort, '127.0.0.1')
    upstream.on('error', () => client.destroy())
    upstream.on('close', () => client.destroy())
    client.on('close', () => upstream.destroy())
    // Bytes of the mails stay as they are.
    for (const socket of [client, upstream]) socket.setEncoding('latin1')
    const replies = createInterface({ input: upstream })[Symbol.asyncIterator]()

    /** A response may have several lines, the last of which has no hyphen after its code. */
    async function reply(): Promise<string> {
      const lines: string[] = []
      for (;;) {
        const { value, done } = await replies.next()
        if (done) throw new Error('the mailbox closed the connection')
        lines.push(value)
        if (/^\d{3}(?!-)/.test(value)) return lines.join('\r\n')
      }
    }
    const exchange = (text: string) => {
      upstream.write(`${text}\r\n`, 'latin1')
      return reply()
    }
    const say = (text: string) => client.write(`${text}\r\n`, 'latin1')

    let name: string | undefined
    let recipient = ''
    /** Applies the mail's fault if it belongs to this step. Returns false when the step goes on as usual. */
    async function disturb(step: Step, text: string[] = []): Promise<boolean> {
      const fault = name === undefined ? undefined : faultOf(name)
      if (!fault || name === undefined) return false
      if (fault.does === 'slow') {
        const id = begin(name, { recipient })
        await sleep(slowMs)
        end(id)
        return false
      }
      if (fault.at !== step) return false
      const messageId = messageIdOf(text)
      const isSecondCopy = fault.does === 'take and close' && takenSilently.has(messageId)
      if (isSecondCopy) return false
      const id = begin(name, { recipient, final: fault.does === 'reply' && fault.final === true })
      name = undefined
      if (fault.does === 'silence') {
        await keepSilent(client, id)
        return true
      }
      if (fault.does === 'take and close') {
        takenSilently.add(messageId)
        await exchange('DATA')
        await exchange([...text, '.'].join('\r\n'))
      }
      if (fault.does === 'reply') {
        await exchange('RSET')
        say(`${fault.reply} (mail ${id})`)
      } else client.destroy()
      end(id)
      return true
    }

    say(await reply())
    let text: string[] | undefined
    for await (const line of createInterface({ input: client })) {
      if (text && line !== '.') {
        text.push(line)
        continue
      }
      if (text) {
        const mail = text
        text = undefined
        if (await disturb('TEXT', mail)) continue
        await exchange('DATA')
        say(await exchange([...mail, '.'].join('\r\n')))
        continue
      }
      const command = line.slice(0, 4).toUpperCase()
      if (command === 'RCPT') {
        recipient = /<([^>]*)>/.exec(line)?.[1] ?? ''
        name = choose(recipient)
        if (await disturb('RCPT')) continue
      }
      if (command === 'DATA') {
        if (await disturb('DATA')) continue
        text = []
        say('354 go on')
      } else say(await exchange(line))
    }
  }

  const server = createServer((client) => {
    serve(client).catch(() => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `smtp://127.0.0.1:${(server.address() as { port: number }).port}`
}

const messageIdOf = (text: string[]) => /^Message-ID:\s*<([^>]*)>/im.exec(text.join('\n'))?.[1] ?? ''
