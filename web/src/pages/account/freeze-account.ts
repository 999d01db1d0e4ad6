import { freezeAccount as freezeEndpoint } from '@nifty/api/auth/public'
import { send } from '../../api/api.ts'

/** Freezes the account of a mail about a change, with the token of the mail. */
export const freezeAccount = (token: string) => send(freezeEndpoint, { body: { token } })
