import type { JsonRpcProvider, Subscriber } from 'ethers'

/**
 * Makes `wait()` of a transaction read its receipt at each polling interval. The subscriber of ethers reads it once,
 * and again only after a newer block than it saw first: it waits forever when an anvil that mines by transaction mined
 * in between.
 */
export function pollReceipts(provider: JsonRpcProvider): void {
  const subscriberOf = provider._getSubscriber.bind(provider)
  provider._getSubscriber = (subscription) =>
    subscription.type === 'transaction' ? receiptSubscriber(provider, subscription.hash) : subscriberOf(subscription)
}

function receiptSubscriber(provider: JsonRpcProvider, hash: string): Subscriber {
  let timer: NodeJS.Timeout | undefined
  const poll = async () => {
    const receipt = await provider.getTransactionReceipt(hash).catch((error: unknown) => {
      // A poll that was under way when the wait had ended and the provider was destroyed.
      if (provider.destroyed) return null
      throw error
    })
    if (receipt) await provider.emit(hash, receipt)
  }
  const start = () => {
    timer ??= setInterval(poll, provider.pollingInterval)
  }
  const stop = () => {
    clearInterval(timer)
    timer = undefined
  }
  return { start, stop, pause: stop, resume: start }
}
