import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A token endpoint that responds with these bodies in turn; an empty one is a 401. */
export async function startTokenEndpoint(answers: object[]) {
  const requests: { authorization: string | undefined; body: string }[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    requests.push({ authorization: request.headers.authorization, body })
    const answer = answers[requests.length - 1] ?? {}
    response.writeHead('access_token' in answer ? 200 : 401).end(JSON.stringify(answer))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  return { requests, tokenUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token` }
}
