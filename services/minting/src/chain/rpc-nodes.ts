import { confirmChain, connectChain } from '@nifty/contracts/provider'
import { within } from '@nifty/service-kit/base/within'
import type { JsonRpcProvider } from 'ethers'

type Query<Result> = (provider: JsonRpcProvider) => Promise<Result>
export type RpcNodes = ReturnType<typeof connectNodes>

/** For this long after a failure, the other node is preferred. */
const AVOID_MS = 30_000

/** How long nodes may take, in ms. */
export type Patience = {
  /** A node that takes longer is asked together with the other one. */
  slowMs: number
  /** For queries to every node. */
  eachWithinMs: number
  /** A single request. */
  requestMs: number
}

/** Connections to one or two nodes. A node of another chain counts as one that does not respond. */
export function connectNodes({
  urls,
  chainId,
  patience: { slowMs, eachWithinMs, requestMs },
}: {
  urls: string[]
  chainId: number
  patience: Patience
}) {
  const nodes = urls.map((rpcUrl) => createRpcNode({ rpcUrl, chainId, requestMs }))

  /**
   * The response of whichever node responds: the preferred one first, the other one when that fails or is slow. Throws
   * the error of the preferred node when none responds.
   */
  async function any<Result>(query: Query<Result>): Promise<Result> {
    const [preferred, other] = nodes.toSorted((one, next) => one.avoidedUntil() - next.avoidedUntil())
    const first = preferred!.run(query)
    if (!other) return first
    try {
      return await within(slowMs, first)
    } catch {
      preferred!.avoid()
      return Promise.any([first, other.run(query)]).catch(() => first)
    }
  }

  /** What every node responds within `eachWithinMs`, in the order of the settings; `place` is that of the node. */
  const each = <Result>(
    query: (provider: JsonRpcProvider, place: number) => Promise<Result>,
  ): Promise<PromiseSettledResult<Result>[]> =>
    Promise.allSettled(
      nodes.map((node, place) =>
        within(
          eachWithinMs,
          node.run((provider) => query(provider, place)),
          () => new Error(`The chain node has not responded within ${eachWithinMs} ms`),
        ),
      ),
    )

  /** The responses of all nodes. Throws when one does not respond. */
  const all = <Result>(query: Query<Result>): Promise<Result[]> => Promise.all(nodes.map((node) => node.run(query)))

  const stop = () => {
    for (const node of nodes) node.stop()
  }
  return { any, each, all, count: nodes.length, stop }
}

function createRpcNode(settings: { rpcUrl: string; chainId: number; requestMs: number }) {
  const provider = connectChain(settings)
  let confirmed: Promise<void> | undefined
  let avoidedUntil = 0
  const confirm = () =>
    confirmChain(provider).catch((error) => {
      confirmed = undefined
      throw error
    })
  return {
    run: async <Result>(query: Query<Result>): Promise<Result> => {
      confirmed ??= confirm()
      await confirmed
      return query(provider)
    },
    avoid: () => {
      avoidedUntil = performance.now() + AVOID_MS
    },
    /** Zero unless the node has failed lately. */
    avoidedUntil: () => (avoidedUntil > performance.now() ? avoidedUntil : 0),
    stop: () => provider.destroy(),
  }
}
