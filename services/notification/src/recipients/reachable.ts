import { getWithdrawer } from '@nifty/api/auth/internal'
import { ExpectedError } from '@nifty/service-kit/base/errors'
import type { ServiceClient } from '@nifty/service-kit/http/client'

/**
 * Whether an account may get mails that it did not cause: it exists, is not suspended, and its address is confirmed,
 * because anyone can sign up with the address of another person. Throws while auth does not respond.
 */
export async function isReachable(auth: ServiceClient, userId: string): Promise<boolean> {
  try {
    const { emailConfirmed, suspended } = await auth(getWithdrawer, { params: { id: userId } })
    return emailConfirmed && !suspended
  } catch (error) {
    if (error instanceof ExpectedError && error.code === 'user_not_found') return false
    throw error
  }
}
