import { resumeSigner, retryDelivery } from '@nifty/api/minting/ops'
import type { Command } from './command.ts'

export const deliveryCommands: Record<string, Command> = {
  'retry-delivery': {
    usage: '<line id>',
    about: 'retries a waiting delivery now, or a signed one with a higher fee',
    changes: 'audited',
    run: async (store, args, action) => {
      const { state } = await store.minting(retryDelivery, { body: { lineId: args[0]!, ...action } })
      return `The delivery is ${state}.`
    },
  },
  'resume-signer': {
    usage: '',
    about: 'resumes signing after a halt whose cause is found',
    changes: 'audited',
    run: async (store, _args, action) => {
      const { nextNonce } = await store.minting(resumeSigner, { body: action })
      return `Signing continues with nonce ${nextNonce}.`
    },
  },
}
