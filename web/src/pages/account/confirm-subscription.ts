import { confirmSubscription as confirmEndpoint } from '@nifty/api/notification/public'
import { send } from '../../api/api.ts'

/** Confirms a newsletter subscription with the token of the mail. */
export const confirmSubscription = (token: string) => send(confirmEndpoint, { body: { token } })
