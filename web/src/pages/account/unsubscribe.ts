import { unsubscribe as unsubscribeEndpoint } from '@nifty/api/notification/public'
import { send } from '../../api/api.ts'

/** Ends the mails of a list, with the token of a mail. */
export const unsubscribe = (token: string) => send(unsubscribeEndpoint, { body: { token } })
